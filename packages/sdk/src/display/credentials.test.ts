import { expect, test } from 'vitest'
import { credentialsIn } from './credentials.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const hex = '0123456789abcdef'.repeat(4)

test.each([
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
  'sk-abcdefghijklmnop',
  'sk-proj-abcdefghijklmnop',
  'sk-ant-api03-Ab_cd-EF1gh-ijKLmn',
  `sk-or-v1-${hex}`,
  'sk_live_0123456789abcdef',
  'rk_test_0123456789abcdef',
  `ghp_${letters}`,
  `github_pat_${letters}`,
  'glpat-0123456789abcdef',
  'xoxb-0123456789-abc',
  'AKIAIOSFODNN7EXAMPLE',
  `AIza${letters}012345678`,
  `npm_${letters}0123456789`,
  `hf_${letters}ABCDEFGH`,
  `dop_v1_${hex}`,
  `secret_${letters}${letters}`,
  `SG.${letters}.${letters}`,
  `shpat_${hex}`,
])('%s is a credential, also in a sentence', (value) => {
  expect(credentialsIn(value)).toEqual([{ start: 0, value }])
  expect(credentialsIn(`use "${value}", please`)).toEqual([{ start: 5, value }])
})

test.each([
  'sk-learn-based-classifier-for-text',
  'secret-santa-generator-of-lists',
  'secret_name_of_the_other_thing',
  'pypi-attestations-of-publishers',
  'hf_hub_download_with_many_words_in_it',
  'pat-a-cake-pat-a-cake-bakers-man',
  'eyJvZmZzZXQiOjEwLCJsaW1pdCI6MTAwfQ',
  'a1b2c3d4-e5f6-7890-abcd-ef0123456789',
  'Bearer authentication is used',
  '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----',
])('%s is none', (text) => expect(credentialsIn(text)).toEqual([]))

test('what follows the word bearer is one', () => {
  expect(credentialsIn('Authorization: Bearer abcdef0123456789')).toEqual([{ start: 22, value: 'abcdef0123456789' }])
})

test('a private key is one from its first line to its last, whatever is in it', () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\nsk-${letters}\n-----END RSA PRIVATE KEY-----`
  expect(credentialsIn(`sk-${letters} ${key} sk-${letters}`)).toEqual([
    { start: 0, value: `sk-${letters}` },
    { start: 30, value: key },
    { start: 31 + key.length, value: `sk-${letters}` },
  ])
})

test('a text made to be slow is not', () => {
  const parts = ['A', 'sk-', 'a-', '-eyJ', 'eyJa.', 'Bearer ', '-----BEGIN ', '-----END -----BEGIN ', 'SG.', 'sk-a-']
  for (const part of parts) credentialsIn(part.repeat(1_000_000 / part.length))
})
