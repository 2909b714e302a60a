import 'tmcp'
