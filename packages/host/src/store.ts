export { keepInputAnswer, readInputAnswer } from './store/inputs.ts'
export { changeLogins, type Login, readLogins } from './store/logins.ts'
export { hasSecrets, type SecretPlace, secretPlace } from './store/secret-place.ts'
