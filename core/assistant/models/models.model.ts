import { type Static, Type as T } from '@sinclair/typebox'
import type { MountedAdapter } from '../../../plugins/host/registry.ts'
import type { Model, Part, ToolCall, Usage } from '../../../plugins/model/model.ts'
import { gifts, Model as ModelShape, modalities } from '../../../plugins/model/model.ts'
import { named, oneOf } from '../../http/schema.ts'
import type { Connection } from '../../integrations/connections/connection.ts'

/** Owner of a request to a model: a store uses its own connections first; a project uses only those of the platform. */
export type ModelOwner = { readonly storeId: string } | { readonly projectId: string }
/** Connection to a source of AI models. */
export type ModelConnection = Connection<MountedAdapter<'model'>>
/** Kind of output that a model gives: `text`, `image` or `speech`. */
export type OutputKind = (typeof gifts)[number]

/** AI model that the caller may use, as the API shows it. */
export const AiModel = named(
  'AiModel',
  T.Object({
    ...ModelShape.properties,
    id: T.String({ description: 'slug of the source, then its own name of the model: sandbox-model/writer' }),
    takes: T.Array(oneOf(modalities)),
    gives: T.Array(oneOf(gifts)),
    source: T.String({ description: 'slug of the adapter' }),
    currency: T.String({ description: 'ISO 4217, of the prices: exact decimals for one token, request, picture or character' }),
    ownedBy: oneOf(['store', 'platform'], { description: 'owner of the connection that pays' }),
  }),
)
/** Type of {@link AiModel}. */
export type AiModel = Static<typeof AiModel>

/** AI model together with the connection through which it is called. */
export interface AvailableModel {
  /** Slug of the source and its own name of the model, as in `AiModel`. */
  readonly id: string
  readonly model: Model
  readonly slug: string
  readonly ownedBy: AiModel['ownedBy']
  readonly connectionId: string
  readonly currency: string
}

/** Complete answer of a model. */
export interface CompletionResult {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  readonly reason: Extract<Part, { type: 'end' }>['reason']
  readonly usage: Usage
  readonly generation?: string
  /** Exact decimal in the currency of the source; absent when it is unknown. */
  readonly cost?: string
}
