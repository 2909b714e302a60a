import './stdio-server.mjs'
