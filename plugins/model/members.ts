import { Type as T } from '@sinclair/typebox'
import type { Derived } from '../kind.ts'
import { KIB, list, MIB, one, required, streamed } from '../member.ts'
import { Maybe, Printed } from '../schema.ts'
import { Completion, Drawing, Drawn, Editing, GenerationId, LookedUp, Model, Part, Speaking, Spoken } from './model.ts'

/** The version of this contract. An adapter names the one that it was written for. */
export const CONTRACT = 1

/** The constants of a source of models. */
export const definition = {
  /** What its prices are in: a code of ISO 4217. */
  currency: T.String({ pattern: '^[A-Z]{3}$' }),
  /** The setting that holds the address of a compatible server. The connection reaches its host beside `net`. */
  address: Maybe(T.String({ pattern: '^[a-z][A-Za-z0-9]{0,59}$' })),
}

/** What a source of models can be asked, and what it may answer. */
export const members = {
  testConnection: required(one([], T.Object({ account: Maybe(Printed(500)) }), { bytes: 4 * KIB })),
  models: required(list([], Model, 2_000)),
  /** Throws before its first part where the other side did nothing; afterwards nobody knows but by `lookUp`. */
  complete: required(streamed([Completion], Part, { bytes: 8 * MIB })),
  image: one([Drawing], Drawn, { bytes: 64 * MIB }),
  editImage: one([Editing], Drawn, { bytes: 64 * MIB }),
  speech: one([Speaking], Spoken, { bytes: 32 * MIB }),
  lookUp: one([GenerationId], LookedUp, { bytes: 8 * KIB }),
  /** How many tokens a request comes to, by the other side's own count, for nothing. */
  estimate: one([Completion], T.Object({ inputTokens: T.Integer({ minimum: 0 }) }), { bytes: KIB }),
}

export type ModelAdapter = Derived<typeof definition, typeof members>
