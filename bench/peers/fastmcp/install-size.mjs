export const packages = ['fastmcp@4.20.16']
