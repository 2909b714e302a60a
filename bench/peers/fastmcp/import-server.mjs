import 'fastmcp'
