import { expect, test } from 'bun:test'
import { join } from 'node:path'

const IDENTITY = join(import.meta.dir, '../../../core/identity')

test('a library for tokens that cannot be loaded is not told as an invalid token', async () => {
  const program = `
    Bun.plugin({ name: 'broken', setup: (build) => build.module('jose', () => { throw new Error('jose cannot be loaded') }) })
    const { nonceIn, verifyProof } = await import('${IDENTITY}/auth/credentials/dpop.ts')
    const { verifyIdentityToken } = await import('${IDENTITY}/social/providers/identity-token.ts')
    const adapter = { label: 'Provider', net: [], identityToken: { issuers: [], algorithms: [] } }
    for (const verify of [nonceIn, (token) => verifyProof({}, token, {}), (token) => verifyIdentityToken({}, adapter, token, { audiences: [] })])
      console.log(await Promise.try(verify, 'a.b.c').catch(({ message }) => message))`
  const lines = (await Bun.$`${process.execPath} -e ${program}`.text()).trim().split('\n')
  expect(lines).toEqual(Array(3).fill('jose cannot be loaded'))
})
