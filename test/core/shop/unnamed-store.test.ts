import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const { call, shop } = await startApp()
const { owner } = await shop()
const ID = 'ord_01m8ev5dak4wj2f1psm5rc4a46'

const requests = [
  ['POST', '/v1/orders:batchUpdate', { orders: [{ id: ID, note: 'x' }] }],
  ['POST', '/v1/orders/assign', { orderId: ID, userId: null }],
  ['POST', '/v1/orders/assignMany', { orderIds: [ID], userIds: [ID.replace('ord_', 'usr_')] }],
  ['POST', '/v1/orders/return', { orderId: ID }],
  ['POST', '/v1/orders/send', { carrierCode: 'sandbox', orders: [{ orderId: ID }] }],
  ['POST', '/v1/orders/confirmation/next', {}],
  ['POST', '/v1/orders/confirmation/release', { orderId: ID }],
  ['POST', '/v1/actions/runPixelStatusRules', { orderIds: [ID] }],
  ['POST', '/v1/actions/proxy', { url: 'https://shop.example/' }],
  ['GET', '/v1/orders', undefined],
  ['GET', '/v1/categories', undefined],
] as const

test.each(requests)('a request that leaves its store out is told so where it can name it: %s %s', async (method, path, body) => {
  const answer = await call(method, path, { as: owner.token, ...(body && { body }) })
  const place = body === undefined ? '/query/storeId' : '/body/storeId'
  expect([answer.status, answer.body.error.details.map((detail: { path: string }) => detail.path)]).toEqual([400, [place]])
})
