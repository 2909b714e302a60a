#!/bin/sh
grep -o '{{[a-z_]*}}' "$1" | sort -u
