import { afterAll, expect, test } from 'bun:test'
import openai from '../../../../adapters/model/openai/index.ts'
import openrouter from '../../../../adapters/model/openrouter/index.ts'
import { costIn, perMillion } from '../../../../plugins/model/toolkit/decimals.ts'
import { rig as openaiRig } from '../openai/rig.ts'
import { rig } from './rig.ts'

const side = rig(openrouter)
const other = openaiRig(openai)
afterAll(() => Promise.all([side.close?.(), other.close?.()]))
const asked = { model: 'maker/writer', messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hello' }] }] }

test('openrouter: prices are exact decimals; a price that varies is left out', async () => {
  const models = new Map((await openrouter.models(side.open().context)).map((one) => [one.id, one]))
  expect(models.get('maker/writer')).toMatchObject({
    prices: { inputToken: '0.00000015', outputToken: '0.0000006', request: '0' },
    tools: true,
  })
  expect([models.get('maker/router')?.prices, models.has('maker/embedder')]).toEqual([undefined, false])
  expect(models.get('maker/speaker')).toMatchObject({ gives: ['speech'], voices: ['lina'] })
  const priced = (await openai.models(other.open().context)).find(({ id }) => id === 'gpt-small')
  expect(priced?.prices).toEqual({ inputToken: '0.00000025', outputToken: '0.000002' })
})

test('decimals lose nothing', () => {
  expect(['2', '0.25', '1000000', '12345678.5', '0', 'x', '1e3', '-1'].map(perMillion)).toEqual([
    '0.000002',
    '0.00000025',
    '1',
    '12.3456785',
    '0',
    undefined,
    undefined,
    undefined,
  ])
  expect([1.5e-7, '0.0400', 0, -1, Number.NaN, '1e-7', {}].map(costIn)).toEqual([
    '0.00000015',
    '0.04',
    '0',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('openrouter: the cost is taken from the answer when the answer states it', async () => {
  side.say?.({ pieces: ['Hello'], usage: { inputTokens: 100, outputTokens: 5 } })
  const parts = await Array.fromAsync(openrouter.complete(side.open().context, asked))
  expect(parts).toEqual([
    { type: 'started', generation: expect.stringMatching(/^gen-/) },
    { type: 'text', text: 'Hello' },
    { type: 'usage', usage: { inputTokens: 100, outputTokens: 5, cost: '0.000015' } },
    { type: 'end', reason: 'stop' },
  ])
  expect(await openrouter.lookUp?.(side.open().context, 'gen-lost')).toEqual({
    done: true,
    usage: { inputTokens: 12, outputTokens: 34, cost: '0.0000222' },
  })
  const sent = JSON.parse((await side.calls()).findLast(({ path }) => path.endsWith('/chat/completions'))?.body ?? '{}')
  expect(sent).toMatchObject({ stream: true, stream_options: { include_usage: true }, usage: { include: true } })
})
