import { ask, isRow, type Model, number, present, pricesByLine, type Row, rows, text, unreadable } from 'serai/model'
import { type Context, headersOf, label, rootOf } from './fields.ts'
import { problemOf } from './problem.ts'

const PAGE = 1_000
const WRITES = 'generateContent'

export async function models(context: Context): Promise<Model[]> {
  const answer = await ask(context, label, `${rootOf(context)}/models`, { headers: headersOf(context), query: { pageSize: PAGE } })
  if (!answer.ok) throw problemOf(context, answer, 'GET')
  if (!isRow(answer.value) || !Array.isArray(answer.value.models)) throw unreadable(label, 'no list of models')
  const prices = pricesByLine(context.settings.prices)
  return rows(answer.value.models).flatMap((said) => modelOf(said, prices) ?? [])
}

function modelOf(said: Row, prices: ReturnType<typeof pricesByLine>): Model | undefined {
  const id = text(said.name)?.replace(/^models\//, '')
  const does = Array.isArray(said.supportedGenerationMethods) ? (said.supportedGenerationMethods as unknown[]) : []
  if (id === undefined || id.length > 200 || !does.includes(WRITES)) return undefined
  const tokens = (value: unknown) => {
    const found = number(value)
    return found !== undefined && Number.isInteger(found) && found > 0 ? found : undefined
  }
  return {
    id,
    name: (text(said.displayName) ?? id).slice(0, 200),
    takes: ['text', 'image'],
    gives: ['text'],
    tools: true,
    structured: true,
    ...present({ contextTokens: tokens(said.inputTokenLimit), outputTokens: tokens(said.outputTokenLimit), prices: prices.get(id) }),
  }
}
