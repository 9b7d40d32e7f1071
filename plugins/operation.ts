import type { TObject, TSchema } from '@sinclair/typebox'

export type Method = 'OPTIONS' | 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Role = 'owner' | 'admin' | 'agent' | 'viewer'

/** One thing a plugin may be able to do, and the route through which callers ask for it. */
export interface Operation {
  readonly summary: string
  /** Several spellings may answer alike: `wilayas` and `states`. */
  readonly paths: readonly string[]
  readonly methods: readonly Method[]
  /** The least role in the store that may ask for it. */
  readonly role: Role
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** What stands in `data` of the answer. Absent: the operation answers bytes of its own (a label). */
  readonly response?: TSchema
}
