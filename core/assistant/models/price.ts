import type { Completion, Model, Prices, Usage } from '../../../plugins/model/model.ts'

/** Decimal places of a price: one token costs far less than the smallest unit of money. */
const PLACES = 18
/** UTF-8 bytes that count as one token in estimates. */
export const BYTES_PER_TOKEN = 3
/** Tokens that an image in a request counts as in estimates. */
const IMAGE_TOKENS = 1_500
/** Assumed length of an answer when the request sets no limit. */
const OUTPUT_TOKENS = 4_096

const parseDecimal = (text = '0'): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * 10n ** BigInt(PLACES) + BigInt(fraction.padEnd(PLACES, '0'))
}

function formatDecimal(value: bigint): string {
  const digits = value.toString().padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0+$/, '')
  return `${digits.slice(0, -PLACES)}${fraction && `.${fraction}`}`
}

const multiply = (count = 0, price?: string) => BigInt(count) * parseDecimal(price)

/**
 * Returns the cost of a usage as an exact decimal: the cost that the source reports, else computed from its prices. Returns undefined when
 * the source gives neither.
 *
 * @param viewedImages images of the input
 */
export function costOf(prices: Prices | undefined, usage: Usage, viewedImages = 0): string | undefined {
  if (usage.cost !== undefined) return usage.cost
  if (!prices) return undefined
  const { inputTokens = 0, cachedInputTokens = 0, outputTokens, images, characters } = usage
  const cached = Math.min(cachedInputTokens, inputTokens)
  const sum =
    multiply(inputTokens - cached, prices.inputToken) +
    multiply(cached, prices.cachedInputToken ?? prices.inputToken) +
    multiply(outputTokens, prices.outputToken) +
    multiply(viewedImages, prices.inputImage) +
    multiply(images, prices.outputImage) +
    multiply(characters, prices.character) +
    parseDecimal(prices.request)
  return formatDecimal(sum)
}

/** Estimates the tokens of a text from its UTF-8 length. Errs on the high side in every script. */
export const estimateTokens = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / BYTES_PER_TOKEN)

type ModelRequest = Pick<Completion, 'messages'> & Partial<Pick<Completion, 'tools' | 'output' | 'maxTokens'>>

/** Counts the images in the user messages of a request. */
export const countImages = (messages: Completion['messages']): number =>
  messages.reduce((sum, message) => sum + (message.role === 'user' ? message.parts.filter(({ type }) => type === 'image').length : 0), 0)

/** Estimates the input and output tokens of a request. `most` caps the output, by the limit of the model. */
export function estimateRequestTokens({ messages, tools = [], output, maxTokens }: ModelRequest, most?: number) {
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

/** Estimates the highest cost of a request. Returns undefined when the model has no prices. */
export const estimateCost = (
  { model }: { readonly model: Pick<Model, 'prices' | 'outputTokens'> },
  asked: ModelRequest,
): string | undefined => costOf(model.prices, estimateRequestTokens(asked, model.outputTokens), countImages(asked.messages))
