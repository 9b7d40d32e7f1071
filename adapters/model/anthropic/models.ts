import { ask, isRow, type Model, pricesByLine, problemOf, rows, text, unreadable } from 'serai/model'
import { type Context, headersOf, label, ROOT } from './fields.ts'

const PAGE = 1_000

export async function models(context: Context): Promise<Model[]> {
  const answer = await ask(context, label, `${ROOT}/models`, { headers: headersOf(context), query: { limit: PAGE } })
  if (!answer.ok) throw problemOf(context, label, answer)
  if (!isRow(answer.value) || !Array.isArray(answer.value.data)) throw unreadable(label, 'no list of models')
  const prices = pricesByLine(context.settings.prices)
  return rows(answer.value.data).flatMap(({ id, display_name: name }): Model[] => {
    const [known, priced] = [text(id), prices.get(text(id) ?? '')]
    if (known === undefined || known.length > 200) return []
    const shown = (text(name) ?? known).slice(0, 200)
    return [
      {
        id: known,
        name: shown,
        takes: ['text', 'image'],
        gives: ['text'],
        tools: true,
        structured: true,
        ...(priced && { prices: priced }),
      },
    ]
  })
}
