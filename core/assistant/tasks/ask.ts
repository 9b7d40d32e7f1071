import type { Media, Usage } from '../../../plugins/model/model.ts'
import type { Context } from '../../context.ts'
import type { NewFile } from '../../platform/files/files.ts'
import { keepForProject } from '../../platform/files/project-files.ts'
import { complete, draw, jsonOf, speak } from '../models/ask.ts'
import type { Usable } from '../models/models.model.ts'
import { costOf } from '../models/price.ts'
import { completionOf, drawingOf, speakingOf } from './run/estimate.ts'
import { misfitOf } from './run/fits-schema.ts'
import type { Input } from './tasks.model.ts'
import type { Text } from './tasks.queries.ts'

/** Deadline of one request to a model. */
const LONGEST_MS = 300_000

/** Answer of a model to a task. */
export interface Given {
  readonly result: Text
  readonly files: readonly NewFile[]
  readonly usage: Usage
  readonly generation?: string
  /** Exact decimal in the currency of the model; null when it is unknown. */
  readonly cost: string | null
  /** First way in which the answer does not fit the requested schema. */
  readonly misfit?: string
}

/** Options of one request to a model. */
export interface Asking {
  readonly signal: AbortSignal
  /** Called for each part that arrives, with the id of the generation when the source names one. */
  readonly touched: (generation?: string) => void
}

/** Sends the input of a task to a model, once, and stores generated media as files of the project. Throws `AdapterFailure`. */
export async function askModel(context: Context, projectId: string, usable: Usable, input: Input, asking: Asking): Promise<Given> {
  const options = { signal: asking.signal, deadlineMs: LONGEST_MS }
  const { prices } = usable.model
  const owner = { projectId }
  if (input.type === 'text') {
    const onPart = (part: { type: string; generation?: string }) => asking.touched(part.generation)
    const answer = await complete(context, owner, usable, completionOf(input), { ...options, onPart })
    const result = { text: answer.text, ending: answer.reason }
    const misfit = input.output && schemaProblem(input.output.schema, answer.text)
    return { result, files: [], ...billingOf(answer.usage, answer.cost), ...generationOf(answer), ...(misfit !== undefined && { misfit }) }
  }
  const answer =
    input.type === 'image'
      ? await draw(context, owner, usable, drawingOf(input), options)
      : await speak(context, owner, usable, speakingOf(input), options)
  asking.touched(answer.generation)
  const media = 'images' in answer ? answer.images : [answer.sound]
  const files = await Promise.all(media.map((one, at) => storeMedia(context, projectId, one, `${input.type}-${at + 1}`)))
  return { result: { text: null, ending: null }, files, ...billingOf(answer.usage, costOf(prices, answer.usage)), ...generationOf(answer) }
}

function schemaProblem(schema: unknown, text: string): string | undefined {
  const value = jsonOf(text)
  return value === undefined ? 'it is no JSON' : misfitOf(schema, value)
}

const generationOf = ({ generation }: { generation?: string }) => (generation === undefined ? {} : { generation })

/** Returns the usage and its cost; the cost is null when the source counted nothing. */
const billingOf = (usage: Usage, cost: string | undefined) => ({ usage, cost: Object.keys(usage).length > 0 ? (cost ?? null) : null })

const storeMedia = (context: Context, projectId: string, { mediaType, data }: Media, name: string) =>
  keepForProject(context, projectId, {
    name: `${name}.${mediaType.split('/')[1] ?? 'bin'}`,
    contentType: mediaType,
    bytes: Buffer.from(data, 'base64'),
  })
