import '@tenon/sdk/server'
