import { type Static, Type as T } from '@sinclair/typebox'
import type { Mounted } from '../../../plugins/host/registry.ts'
import type { Model, Part, ToolCall, Usage } from '../../../plugins/model/model.ts'
import { gifts, Model as ModelShape, modalities } from '../../../plugins/model/model.ts'
import { named, oneOf } from '../../http/schema.ts'
import type { Connection } from '../../integrations/connections/connection.ts'

/** In whose name models are asked: a store, whose own connections go first, or a project, which has the platform's alone. */
export type ModelOwner = { readonly storeId: string } | { readonly projectId: string }
export type ModelConnection = Connection<Mounted<'model'>>
export type Gift = (typeof gifts)[number]

/** A model that somebody may use. */
export const UsableModel = named(
  'AiModel',
  T.Object({
    ...ModelShape.properties,
    id: T.String({ description: 'the source and its own name of the model: sandbox-model/writer' }),
    takes: T.Array(oneOf(modalities)),
    gives: T.Array(oneOf(gifts)),
    source: T.String({ description: 'the slug of the adapter' }),
    currency: T.String({ description: 'ISO 4217, of the prices: exact decimals for one token, request, picture or letter' }),
    ownedBy: oneOf(['store', 'platform'], { description: 'whose connection pays' }),
  }),
)
export type UsableModel = Static<typeof UsableModel>

/** The same, with the connection that leads to it. */
export interface Usable {
  /** As `UsableModel` has it: the slug and the source's own name. */
  readonly id: string
  readonly model: Model
  readonly slug: string
  readonly ownedBy: UsableModel['ownedBy']
  readonly connectionId: string
  readonly currency: string
}

/** An answer that arrived whole. */
export interface Completed {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  readonly reason: Extract<Part, { type: 'end' }>['reason']
  readonly usage: Usage
  readonly generation?: string
  /** What it came to, in the currency of the source; left out where nobody knows. */
  readonly cost?: string
}
