import { describe, expect, test } from 'vitest'
import { serverEnv } from './process-env.ts'

const host = {
  PATH: '/bin',
  HOME: '/home/me',
  LC_ALL: 'C',
  AWS_SECRET_ACCESS_KEY: 'secret',
  NODE_OPTIONS: '--require x',
  TERM: '() { :; }; echo harm',
  EXTRA: '1',
}

describe('the environment of a server', () => {
  test('has only harmless variables of the host, and no shell functions', () => {
    expect(serverEnv({}, 'safe', host, 'linux')).toEqual({ PATH: '/bin', HOME: '/home/me', LC_ALL: 'C' })
  })

  // [auth.stdio-uses-environment]
  test('adds what it is given, which wins; undefined takes away', () => {
    expect(serverEnv({ PATH: '/opt', HOME: undefined, TOKEN: 't' }, 'safe', host, 'linux')).toEqual({
      PATH: '/opt',
      LC_ALL: 'C',
      TOKEN: 't',
    })
  })

  test('can inherit more by name, everything, or nothing', () => {
    expect(serverEnv({}, ['EXTRA'], host, 'linux')).toMatchObject({ PATH: '/bin', EXTRA: '1' })
    expect(serverEnv({}, ['EXTRA'], host, 'linux')).not.toHaveProperty('AWS_SECRET_ACCESS_KEY')
    expect(serverEnv({}, true, host, 'linux')).toMatchObject({ AWS_SECRET_ACCESS_KEY: 'secret', EXTRA: '1' })
    expect(serverEnv({ A: 'a' }, false, host, 'linux')).toEqual({ A: 'a' })
  })

  test('can inherit what fetching needs: proxies, certificates and registries, and no secrets beside them', () => {
    const network = {
      HTTPS_PROXY: 'http://proxy:3128',
      no_proxy: 'localhost',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      SSL_CERT_FILE: '/ca.pem',
      npm_config_registry: 'https://npm.example',
      UV_INDEX_URL: 'https://pypi.example',
    }
    const secrets = { npm_config__auth: 'secret', UV_PUBLISH_TOKEN: 'secret', NODE_AUTH_TOKEN: 'secret' }
    const inherited = serverEnv({}, 'network', { ...host, ...network, ...secrets }, 'linux')
    expect(inherited).toEqual({ PATH: '/bin', HOME: '/home/me', LC_ALL: 'C', ...network })
  })

  test('on Windows, does not care for case', () => {
    const windows = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', Secret: 's' }
    expect(serverEnv({}, 'safe', windows, 'win32')).toEqual({ Path: 'C:\\bin', SystemRoot: 'C:\\Windows' })
    expect(serverEnv({ PATH: 'D:\\' }, 'safe', windows, 'win32')).toEqual({ PATH: 'D:\\', SystemRoot: 'C:\\Windows' })
  })
})
