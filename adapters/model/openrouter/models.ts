import { ask, costIn, isRow, type Model, number, type Prices, present, problemOf, type Row, rows, text, unreadable } from 'serai/model'
import { type Context, label, serverOf } from './fields.ts'

const PAGE = 500
const MODELS_MAX = 2_000
const takings = ['text', 'image', 'audio', 'file'] as const

/** Lists all models, whatever their output. */
export async function models(context: Context): Promise<Model[]> {
  const { root, headers } = serverOf(context)
  const found: Model[] = []
  for (let offset = 0; offset < MODELS_MAX; offset += PAGE) {
    const answer = await ask(context, label, `${root}/models`, { headers, query: { output_modalities: 'all', limit: PAGE, offset } })
    if (!answer.ok) throw problemOf(context, label, answer)
    if (!isRow(answer.value) || !Array.isArray(answer.value.data)) throw unreadable(label, 'no list of models')
    const page = rows(answer.value.data)
    found.push(...page.flatMap((one) => modelIn(one) ?? []))
    if (page.length < PAGE) break
  }
  return [...new Map(found.map((one) => [one.id, one])).values()].slice(0, MODELS_MAX)
}

const row = (value: unknown): Row => (isRow(value) ? value : {})
const stringsIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
const count = (value: unknown) => {
  const found = number(value)
  return found !== undefined && Number.isInteger(found) && found > 0 && found <= 1_000_000_000 ? found : undefined
}

function modelIn(said: Row): Model | undefined {
  const [id, kind] = [text(said.id), row(said.architecture)]
  if (id === undefined || id.length > 200) return undefined
  const [inputs, outputs, can] = [stringsIn(kind.input_modalities), stringsIn(kind.output_modalities), stringsIn(said.supported_parameters)]
  const voices = stringsIn(said.supported_voices).slice(0, 100)
  const takes = takings.filter((one) => inputs.includes(one))
  const gives = [
    ...(['text', 'image'] as const).filter((one) => outputs.includes(one)),
    ...(voices.length > 0 ? (['speech'] as const) : []),
  ]
  if (gives.length === 0) return undefined
  return {
    id,
    name: (text(said.name) ?? id).slice(0, 200),
    takes: takes.length > 0 ? [...takes] : ['text'],
    gives,
    tools: can.includes('tools'),
    structured: can.includes('structured_outputs'),
    ...present({
      contextTokens: count(said.context_length),
      outputTokens: count(row(said.top_provider).max_completion_tokens),
      voices: voices.length > 0 ? voices : undefined,
      prices: pricesIn(row(said.pricing)),
    }),
  }
}

/** Prices in dollars per unit; undefined for `-1`, a price not known in advance. */
function pricesIn(pricing: Row): Prices | undefined {
  const [inputToken, outputToken] = [costIn(pricing.prompt), costIn(pricing.completion)]
  if (inputToken === undefined || outputToken === undefined) return undefined
  return {
    inputToken,
    outputToken,
    ...present({
      cachedInputToken: costIn(pricing.input_cache_read),
      request: costIn(pricing.request),
      inputImage: costIn(pricing.image),
      outputImage: costIn(pricing.image_output),
    }),
  }
}
