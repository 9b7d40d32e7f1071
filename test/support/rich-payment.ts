import type { Shop, TestApp } from './app.ts'

/** An order that was paid beforehand, and of which a part was given back. */
export async function richPayment({ call, ok }: TestApp, { storeId, key, owner }: Shop, newOrder: object) {
  await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox-payment`, {
    as: owner.token,
    body: { enabled: true, credentials: {}, settings: { outcome: 'paid', payoutMinutes: 0.001 } },
  })
  const { data: order } = await ok('POST', '/v1/orders', { as: key, body: newOrder })
  const { data: begun } = await ok('POST', `/v1/orders/${order.id}/payment/sandbox-payment/initiate`, { as: key, body: {} })
  await call('POST', `/v1/orders/${order.id}/payments/${begun.id}/sync`, { as: key })
  const { data: payment } = await ok('POST', `/v1/orders/${order.id}/payments/${begun.id}/refund`, {
    as: owner.token,
    body: { amount: 100 },
  })
  return { prepaid: order, payment, refund: payment.refunds[0], ...(await richPayout({ ok }, storeId, key)) }
}

/** What of it was paid out, which the gateway tells a moment later. */
async function richPayout({ ok }: Pick<TestApp, 'ok'>, storeId: string, key: string) {
  const at = `/v1/stores/${storeId}/payouts`
  for (const end = Date.now() + 30_000; Date.now() < end; await Bun.sleep(100)) {
    await ok('POST', `${at}/pull`, { as: key })
    const [payout] = (await ok('GET', at, { as: key })).data
    if (payout?.state !== 'posted') continue
    const [line] = (await ok('GET', `${at}/${payout.id}/lines`, { as: key })).data
    return { payout, payoutLine: line }
  }
  throw new Error('Nothing was paid out.')
}
