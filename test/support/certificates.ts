import { join } from 'node:path'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A certificate authority of the test's own, and certificates for `<name>.test`. */
export async function certificates(folder: string, names: readonly string[]): Promise<{ ca: string; of: Record<string, Certificate> }> {
  const at = (file: string) => join(folder, file)
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await openssl('req', '-x509', ...newKey, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=Test CA', '-days', '2')
  const made: Record<string, Certificate> = {}
  for (const name of names) {
    await openssl('req', ...newKey, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`), '-subj', `/CN=${name}.test`)
    await Bun.write(at('extensions'), `subjectAltName=DNS:${name}.test`)
    await openssl(
      'x509',
      '-req',
      '-in',
      at(`${name}.csr`),
      '-CA',
      at('ca.pem'),
      '-CAkey',
      at('ca.key'),
      '-CAcreateserial',
      '-out',
      at(`${name}.pem`),
      '-days',
      '2',
      '-extfile',
      at('extensions'),
    )
    made[name] = { key: await Bun.file(at(`${name}.key`)).text(), cert: await Bun.file(at(`${name}.pem`)).text() }
  }
  return { ca: await Bun.file(at('ca.pem')).text(), of: made }
}

async function openssl(...args: string[]) {
  const child = Bun.spawn(['openssl', ...args], { stdout: 'ignore', stderr: 'pipe' })
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text())
}
