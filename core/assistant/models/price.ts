import type { Completion, Model, Prices, Usage } from '../../../plugins/model/model.ts'

/** Prices of single tokens need more places than money does: whole numbers of 10⁻¹⁸. */
const PLACES = 18
/** In UTF-8. */
export const LETTERS_A_TOKEN = 3
/** What a picture in a request counts as, at least. */
const IMAGE_TOKENS = 1_500
/** Where a request does not say how long the answer may grow. */
const OUTPUT_TOKENS = 4_096

const exact = (text = '0'): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * 10n ** BigInt(PLACES) + BigInt(fraction.padEnd(PLACES, '0'))
}

function written(value: bigint): string {
  const digits = value.toString().padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0+$/, '')
  return `${digits.slice(0, -PLACES)}${fraction && `.${fraction}`}`
}

const times = (count = 0, price?: string) => BigInt(count) * exact(price)

/** What was used came to: what the source says itself, else by its prices. Undefined where it tells neither. `shown`: pictures that it looked at. */
export function costOf(prices: Prices | undefined, usage: Usage, shown = 0): string | undefined {
  if (usage.cost !== undefined) return usage.cost
  if (!prices) return undefined
  const { inputTokens = 0, cachedInputTokens = 0, outputTokens, images, characters } = usage
  const cached = Math.min(cachedInputTokens, inputTokens)
  const sum =
    times(inputTokens - cached, prices.inputToken) +
    times(cached, prices.cachedInputToken ?? prices.inputToken) +
    times(outputTokens, prices.outputToken) +
    times(shown, prices.inputImage) +
    times(images, prices.outputImage) +
    times(characters, prices.character) +
    exact(prices.request)
  return written(sum)
}

/** Rather too many than too few, in any script. */
export const estimateTokens = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / LETTERS_A_TOKEN)

type Asked = Pick<Completion, 'messages'> & Partial<Pick<Completion, 'tools' | 'output' | 'maxTokens'>>

/** How many pictures a model is to look at. */
export const picturesIn = (messages: Completion['messages']): number =>
  messages.reduce((sum, message) => sum + (message.role === 'user' ? message.parts.filter(({ type }) => type === 'image').length : 0), 0)

/** What a request may come to in tokens, by our own arithmetic. */
export function tokensOf({ messages, tools = [], output, maxTokens }: Asked, most?: number) {
  const texts = messages.map((message) => {
    if (message.role !== 'user')
      return estimateTokens(message.text) + estimateTokens(JSON.stringify('toolCalls' in message ? message.toolCalls : []))
    return message.parts.reduce((sum, part) => sum + (part.type === 'text' ? estimateTokens(part.text) : IMAGE_TOKENS), 0)
  })
  const given = estimateTokens(JSON.stringify([tools, output ?? null]))
  return {
    inputTokens: texts.reduce((sum, tokens) => sum + tokens, given),
    outputTokens: Math.min(maxTokens ?? OUTPUT_TOKENS, most ?? Number.MAX_SAFE_INTEGER),
  }
}

/** What a request may come to, at most; undefined where nobody knows the prices. */
export const estimateCost = ({ model }: { readonly model: Pick<Model, 'prices' | 'outputTokens'> }, asked: Asked): string | undefined =>
  costOf(model.prices, tokensOf(asked, model.outputTokens), picturesIn(asked.messages))
