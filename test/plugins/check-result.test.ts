import { expect, test } from 'bun:test'
import { connector } from '../../plugins/connector/kind.ts'
import { checkResult } from '../../plugins/host/check-result.ts'
import { payment } from '../../plugins/payment/kind.ts'

const adapter = { credentials: {} }
const malformed = { outcome: 'events', signed: true, events: [{ order: { externalId: 'a NUL \u0000' } }] }

test('result check: a proven callback of a shop with malformed events is kept as unread', async () => {
  for (const signed of [true, false, 'yes'])
    expect(await checkResult(connector, 'webhook.receive', { ...malformed, signed }, adapter)).toEqual({
      outcome: 'unread',
      signed: signed === true,
    })
})

test('result check: a malformed result without proof, or of a kind without an inbox, is refused', async () => {
  const unproven = { outcome: 'maybe', signed: true, events: [] }
  await expect(checkResult(connector, 'webhook.receive', unproven, adapter)).rejects.toThrow('wrong shape')
  await expect(checkResult(payment, 'webhook.receive', malformed, adapter)).rejects.toThrow('wrong shape')
})
