import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A certificate for this machine, in a folder, with the arguments of redis-server for it; needs `requires('openssl')`. */
export async function newCertificate(folder: string): Promise<{ ca: string; files: string[] }> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  await promisify(execFile)('openssl', [...made, ...subject, '-keyout', key, '-out', certificate])
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
  return { ca: readFileSync(certificate, 'utf8'), files }
}
