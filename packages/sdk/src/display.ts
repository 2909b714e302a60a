export { type Credential, credentialsIn } from './display/credentials.ts'
export { nearest } from './display/nearest.ts'
export { isSecretName, isSecretSetting } from './display/secret-names.ts'
export { visible, visibleJson, visibleLine } from './display/visible.ts'
