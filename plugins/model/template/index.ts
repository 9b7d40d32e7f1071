import { ask, isRow, type Model, model, problemOf, rows } from 'serai/model'
import { complete, headersOf } from './complete.ts'
import { type Context, credentials, label, settings } from './fields.ts'

async function models(context: Context): Promise<Model[]> {
  const answer = await ask(context, label, 'https://api.example.com/v1/models', { headers: headersOf(context) })
  if (!answer.ok) throw problemOf(context, label, answer)
  return rows(isRow(answer.value) ? answer.value.models : []).map(({ name, window, priceIn, priceOut }) => ({
    id: String(name),
    name: String(name),
    takes: ['text', 'image'],
    gives: ['text'],
    tools: true,
    structured: true,
    contextTokens: Number(window),
    prices: { inputToken: String(priceIn), outputToken: String(priceOut) },
  }))
}

export default model({
  slug: 'example',
  label,
  net: ['api.example.com'], // the only hosts that it can reach
  credentials,
  settings,
  rateWindows: [{ calls: 600, seconds: 60 }],
  currency: 'USD', // currency of its prices

  async testConnection(context) {
    await models(context)
    return {}
  },

  models,
  complete,
})
