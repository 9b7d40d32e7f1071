import { expect, test } from 'bun:test'
import { modelSource } from '../../../core/assistant/chat/generation/source.ts'
import type { Message } from '../../../plugins/model/model.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'
import { connectModels } from './chat-support.ts'

const app = await startApp()
await app.person('The administrator')
const { ok } = app
const main = await app.shop()
const as = main.owner.token
await connectModels(app, main)

/** Half a day before and after UTC: in one of them it is another day than there, whenever this is asked. */
test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('the model is told the day that it is in the store (%s)', async (timeZone) => {
  await ok('PATCH', `/v1/stores/${main.storeId}`, { as, body: { settings: { timeZone } } })
  const { complete } = modelSource
  let system: Message | undefined
  Object.assign(modelSource, {
    complete: (...given: Parameters<typeof complete>) => {
      system = given[3].messages[0]
      return complete(...given)
    },
  })
  const { id } = (await ok('POST', '/v1/chat/conversations', { as, body: { storeId: main.storeId } })).data
  await ok('POST', `/v1/chat/conversations/${id}/messages`, { as, body: { text: 'Which day is it?' } })
  await until(async () => ((await ok('GET', `/v1/chat/conversations/${id}`, { as })).data.generationId === null ? true : null))
  Object.assign(modelSource, { complete })
  const today = new Date().toLocaleDateString('sv-SE', { timeZone })
  expect(system).toMatchObject({ role: 'system', text: expect.stringContaining(`Today is ${today}.`) })
})
