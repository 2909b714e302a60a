export { type Credential, credentialsIn } from './display/credentials.ts'
export { nearest } from './display/nearest.ts'
export { isSecretName, isSecretSetting } from './display/secret-names.ts'
export { visible, visibleLine } from './display/visible.ts'
