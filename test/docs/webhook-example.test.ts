import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { signatureHeader } from '../../core/lib/crypto/signature.ts'
import { scratchFolder } from '../support/scratch.ts'

type Verify = (secret: string, header: string, body: string, now?: number) => boolean

test('the verification of docs/webhooks.md accepts what the server signs, and refuses other bytes, other secrets and old times', async () => {
  const page = await Bun.file(join(import.meta.dir, '../../docs/webhooks.md')).text()
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? []
  const file = join(await scratchFolder(), 'verify.ts')
  await Bun.write(file, code)
  const { isFromSerai } = (await import(file)) as { isFromSerai: Verify }
  const [secret, body, at] = ['whsec_abc', '{"type":"order.created"}', 1_795_000_000]
  const header = signatureHeader(['whsec_new', secret], at, body)
  expect(isFromSerai(secret, header, body, at)).toBe(true)
  expect(isFromSerai(secret, header, `${body} `, at)).toBe(false)
  expect(isFromSerai('whsec_other', header, body, at)).toBe(false)
  expect(isFromSerai(secret, header, body, at + 301)).toBe(false)
  expect(isFromSerai(secret, 'nonsense', body, at)).toBe(false)
})
