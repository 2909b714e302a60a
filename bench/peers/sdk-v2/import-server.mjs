import '@modelcontextprotocol/server'
