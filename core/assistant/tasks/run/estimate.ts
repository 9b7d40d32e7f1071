import type { Completion, Drawing, Prices, Speaking, Usage } from '../../../../plugins/model/model.ts'
import type { AvailableModel } from '../../models/models.model.ts'
import { costOf, countImages, estimateRequestTokens, estimateTokens } from '../../models/price.ts'
import { taskErrors } from '../tasks.errors.ts'
import type { TaskInput } from '../tasks.model.ts'

/** Default limit of an answer in tokens. */
const DEFAULT_MAX_TOKENS = 1024

type WithoutModel<A> = Omit<A, 'model'>
type InputOf<N extends TaskInput['type']> = Extract<TaskInput, { type: N }>

/** Converts the input of a text task to a completion request. */
export function completionRequestOf({
  messages,
  maxTokens = DEFAULT_MAX_TOKENS,
  temperature,
  output,
}: InputOf<'text'>): WithoutModel<Completion> {
  return {
    messages: messages.map(({ role, text, images = [] }) =>
      role === 'user'
        ? { role, parts: [{ type: 'text' as const, text }, ...images.map((image) => ({ type: 'image' as const, image }))] }
        : { role, text },
    ),
    maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(output !== undefined && { output }),
  }
}

/** Converts the input of an image task to an image request. */
export const imageRequestOf = ({ prompt, size = 'square', count = 1, transparent }: InputOf<'image'>): WithoutModel<Drawing> => ({
  prompt,
  size,
  count,
  ...(transparent !== undefined && { transparent }),
})

/** Converts the input of a speech task to a speech request. */
export const speechRequestOf = ({ text, voice, manner, format = 'mp3', speed }: InputOf<'speech'>): WithoutModel<Speaking> => ({
  text,
  voice,
  format,
  ...(manner !== undefined && { manner }),
  ...(speed !== undefined && { speed }),
})

/** Prices that a model may bill by, for each type of input. A hold can be computed when at least one is known. */
const billed = {
  text: ['inputToken', 'outputToken', 'request'],
  image: ['outputImage', 'request'],
  speech: ['character', 'request'],
} as const satisfies Record<TaskInput['type'], readonly (keyof Prices)[]>

/** Returns the highest usage that the source can count for an input. */
function maxUsage(input: TaskInput): Usage {
  if (input.type === 'image') return { inputTokens: estimateTokens(input.prompt), images: input.count ?? 1 }
  if (input.type === 'speech') return { characters: [...input.text, ...(input.manner ?? '')].length }
  const { inputTokens, outputTokens } = estimateRequestTokens(completionRequestOf(input))
  return { inputTokens: inputTokens + input.messages.length * PER_MESSAGE, outputTokens }
}

/** Counts the images in the input of a task. */
export const countInputImages = (input: TaskInput): number => (input.type === 'text' ? countImages(completionRequestOf(input).messages) : 0)

/** Tokens that sources add around each message. */
const PER_MESSAGE = 16

/**
 * Returns the amount to hold: the highest possible cost, or `maxCost` when the prices are unknown. Throws `invalid_request` without either.
 */
export function holdAmount({ model: { prices } }: AvailableModel, input: TaskInput, maxCost: string | undefined): string {
  const isKnown = billed[input.type].some((name) => prices?.[name] !== undefined)
  const hold = isKnown ? costOf(prices, maxUsage(input), countInputImages(input)) : maxCost
  if (hold !== undefined) return hold
  throw taskErrors.priceUnknown({ field: ['maxCost'] })
}

const PLACES = 18
const toUnits = (amount: string) => {
  const [units = '0', fraction = ''] = amount.split('.')
  return BigInt(units + fraction.padEnd(PLACES, '0'))
}

/** Compares two exact decimals of up to 18 places: true when the first is greater. */
export const isGreater = (one: string, other: string): boolean => toUnits(one) > toUnits(other)
