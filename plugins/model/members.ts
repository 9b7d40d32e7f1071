import { Type as T } from '@sinclair/typebox'
import type { DerivedAdapter } from '../kind.ts'
import { KIB, list, MIB, one, requiredMember, streamedResult } from '../member.ts'
import { Maybe, PrintableText } from '../schema.ts'
import { Completion, Drawing, Drawn, Editing, GenerationId, LookedUp, Model, Part, Speaking, Spoken } from './model.ts'

/** Version of this contract. An adapter names the version that it implements. */
export const CONTRACT = 1

/** Constants of a model source. */
export const definition = {
  /** Currency of its prices: an ISO 4217 code. */
  currency: T.String({ pattern: '^[A-Z]{3}$' }),
  /** Name of the setting with the URL of a compatible server. The connection may reach its host in addition to `net`. */
  address: Maybe(T.String({ pattern: '^[a-z][A-Za-z0-9]{0,59}$' })),
}

/** Functions of a model source, with the schemas of their arguments and results. */
export const members = {
  testConnection: requiredMember(one([], T.Object({ account: Maybe(PrintableText(500)) }), { bytes: 4 * KIB })),
  models: requiredMember(list([], Model, 2_000)),
  /** Throws before the first part if the source did nothing. If it throws later, only `lookUp` can tell the outcome. */
  complete: requiredMember(streamedResult([Completion], Part, { bytes: 8 * MIB })),
  image: one([Drawing], Drawn, { bytes: 64 * MIB }),
  editImage: one([Editing], Drawn, { bytes: 64 * MIB }),
  speech: one([Speaking], Spoken, { bytes: 32 * MIB }),
  lookUp: one([GenerationId], LookedUp, { bytes: 8 * KIB }),
  /** Counts the tokens of a request by the source's own tokenizer, free of charge. */
  estimate: one([Completion], T.Object({ inputTokens: T.Integer({ minimum: 0 }) }), { bytes: KIB }),
}

/** Adapter of a model source. */
export type ModelAdapter = DerivedAdapter<typeof definition, typeof members>
