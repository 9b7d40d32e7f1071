import type { Media, Usage } from '../../../plugins/model/model.ts'
import type { Context } from '../../context.ts'
import type { NewFile } from '../../platform/files/files.ts'
import { storeProjectFile } from '../../platform/files/project-files.ts'
import { generateImages, generateSpeech, parseJsonAnswer, requestCompletion } from '../models/model-calls.ts'
import type { AvailableModel } from '../models/models.model.ts'
import { costOf } from '../models/price.ts'
import { completionRequestOf, imageRequestOf, speechRequestOf } from './run/estimate.ts'
import { findSchemaMismatch } from './run/fits-schema.ts'
import type { TaskInput } from './tasks.model.ts'
import type { TextResult } from './tasks.queries.ts'

/** Deadline of one request to a model. */
const LONGEST_MS = 300_000

/** Answer of a model to a task. */
export interface ModelAnswer {
  readonly result: TextResult
  readonly files: readonly NewFile[]
  readonly usage: Usage
  readonly generation?: string
  /** Exact decimal in the currency of the model; null when it is unknown. */
  readonly cost: string | null
  /** First way in which the answer does not fit the requested schema. */
  readonly schemaMismatch?: string
}

/** Options of one request to a model. */
export interface AskOptions {
  readonly signal: AbortSignal
  /** Called for each part that arrives, with the id of the generation when the source names one. */
  readonly onProgress: (generation?: string) => void
}

/** Sends the input of a task to a model, once, and stores generated media as files of the project. Throws `AdapterFailure`. */
export async function askModel(
  context: Context,
  projectId: string,
  usable: AvailableModel,
  input: TaskInput,
  asking: AskOptions,
): Promise<ModelAnswer> {
  const options = { signal: asking.signal, deadlineMs: LONGEST_MS }
  const { prices } = usable.model
  const owner = { projectId }
  if (input.type === 'text') {
    const onPart = (part: { type: string; generation?: string }) => asking.onProgress(part.generation)
    const answer = await requestCompletion(context, owner, usable, completionRequestOf(input), { ...options, onPart })
    const result = { text: answer.text, ending: answer.reason }
    const misfit = input.output && schemaProblem(input.output.schema, answer.text)
    return {
      result,
      files: [],
      ...billingOf(answer.usage, answer.cost),
      ...generationOf(answer),
      ...(misfit !== undefined && { schemaMismatch: misfit }),
    }
  }
  const answer =
    input.type === 'image'
      ? await generateImages(context, owner, usable, imageRequestOf(input), options)
      : await generateSpeech(context, owner, usable, speechRequestOf(input), options)
  asking.onProgress(answer.generation)
  const media = 'images' in answer ? answer.images : [answer.sound]
  const files = await Promise.all(media.map((one, at) => storeMedia(context, projectId, one, `${input.type}-${at + 1}`)))
  return { result: { text: null, ending: null }, files, ...billingOf(answer.usage, costOf(prices, answer.usage)), ...generationOf(answer) }
}

function schemaProblem(schema: unknown, text: string): string | undefined {
  const value = parseJsonAnswer(text)
  return value === undefined ? 'it is no JSON' : findSchemaMismatch(schema, value)
}

const generationOf = ({ generation }: { generation?: string }) => (generation === undefined ? {} : { generation })

/** Returns the usage and its cost; the cost is null when the source counted nothing. */
const billingOf = (usage: Usage, cost: string | undefined) => ({ usage, cost: Object.keys(usage).length > 0 ? (cost ?? null) : null })

const storeMedia = (context: Context, projectId: string, { mediaType, data }: Media, name: string) =>
  storeProjectFile(context, projectId, {
    name: `${name}.${mediaType.split('/')[1] ?? 'bin'}`,
    contentType: mediaType,
    bytes: Buffer.from(data, 'base64'),
  })
