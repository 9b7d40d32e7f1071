import type { Completion, Drawing, Prices, Speaking, Usage } from '../../../../plugins/model/model.ts'
import { invalid } from '../../../http/errors/errors.ts'
import type { Usable } from '../../models/models.model.ts'
import { costOf, estimateTokens, picturesIn, tokensOf } from '../../models/price.ts'
import type { Input } from '../tasks.model.ts'

const TOKENS_UNLESS_SAID = 1024

type Ask<A> = Omit<A, 'model'>
type InputOf<N extends Input['type']> = Extract<Input, { type: N }>

export function completionOf({ messages, maxTokens = TOKENS_UNLESS_SAID, temperature, output }: InputOf<'text'>): Ask<Completion> {
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

export const drawingOf = ({ prompt, size = 'square', count = 1, transparent }: InputOf<'image'>): Ask<Drawing> => ({
  prompt,
  size,
  count,
  ...(transparent !== undefined && { transparent }),
})

export const speakingOf = ({ text, voice, manner, format = 'mp3', speed }: InputOf<'speech'>): Ask<Speaking> => ({
  text,
  voice,
  format,
  ...(manner !== undefined && { manner }),
  ...(speed !== undefined && { speed }),
})

/** What of the input a model bills by; where none of these prices is known, nobody knows what it comes to. */
const billed = {
  text: ['inputToken', 'outputToken', 'request'],
  image: ['outputImage', 'request'],
  speech: ['character', 'request'],
} as const satisfies Record<Input['type'], readonly (keyof Prices)[]>

/** The most that the other side can count for it. */
function upperUsage(input: Input): Usage {
  if (input.type === 'image') return { inputTokens: estimateTokens(input.prompt), images: input.count ?? 1 }
  if (input.type === 'speech') return { characters: [...input.text, ...(input.manner ?? '')].length }
  const { inputTokens, outputTokens } = tokensOf(completionOf(input))
  return { inputTokens: inputTokens + input.messages.length * PER_MESSAGE, outputTokens }
}

/** Pictures that a model looks at for it. */
export const shownIn = (input: Input): number => (input.type === 'text' ? picturesIn(completionOf(input).messages) : 0)

/** What others put around each message. */
const PER_MESSAGE = 16

/** What is held for a task: what it comes to at most, or where nobody knows that, what it may cost. Throws `invalid_request`. */
export function holdOf({ model: { prices } }: Usable, input: Input, maxCost: string | undefined): string {
  const isKnown = billed[input.type].some((name) => prices?.[name] !== undefined)
  const hold = isKnown ? costOf(prices, upperUsage(input), shownIn(input)) : maxCost
  if (hold !== undefined) return hold
  throw invalid('/body/maxCost', 'Nobody knows what this model costs before it is asked: say what the task may cost at most.')
}

const PLACES = 18
const whole = (amount: string) => {
  const [units = '0', fraction = ''] = amount.split('.')
  return BigInt(units + fraction.padEnd(PLACES, '0'))
}

/** Of exact decimals of up to 18 places. */
export const isMore = (one: string, other: string): boolean => whole(one) > whole(other)
