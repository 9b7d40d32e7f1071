import { ask, isRow, type Model, type Prices, pricesByLine, problemOf, rows, text, unreadable } from 'serai/model'
import { type Context, label, serverOf } from './fields.ts'

const VOICES = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'sage', 'shimmer', 'verse', 'marin', 'cedar', 'fable', 'onyx', 'nova']
/** Kinds of models by name, since the list gives only names. Unmatched ones are left out. */
const DRAWS = /^(gpt-image|dall-e)/
const SPEAKS = /(^|-)tts(-|$)/
const OTHER = /embed|whisper|transcri|moderation|realtime|audio|sora|babbage|davinci/

export async function models(context: Context): Promise<Model[]> {
  const { root, headers } = serverOf(context)
  const answer = await ask(context, label, `${root}/models`, { headers })
  if (!answer.ok) throw problemOf(context, label, answer)
  if (!isRow(answer.value) || !Array.isArray(answer.value.data)) throw unreadable(label, 'no list of models')
  const prices = pricesByLine(context.settings.prices)
  return rows(answer.value.data).flatMap(({ id }) => {
    const name = text(id)
    return name === undefined || name.length > 200 || OTHER.test(name) ? [] : [modelOf(context, name, prices.get(name))]
  })
}

function modelOf({ settings }: Context, id: string, prices: Prices | undefined): Model {
  const known = { id, name: id, ...(prices && { prices }) }
  if (DRAWS.test(id)) return { ...known, takes: ['text', 'image'], gives: ['image'], tools: false, structured: false }
  if (SPEAKS.test(id)) return { ...known, takes: ['text'], gives: ['speech'], tools: false, structured: false, voices: VOICES }
  return { ...known, takes: settings.pictures ? ['text', 'image'] : ['text'], gives: ['text'], tools: true, structured: true }
}
