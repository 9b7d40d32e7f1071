import { expect, test } from 'bun:test'
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Adapter, AdapterContext } from '../../plugins/adapter.ts'
import type { Carrier } from '../../plugins/carrier/contract.ts'
import { carrier } from '../../plugins/carrier/kind.ts'
import type { MemberName } from '../../plugins/carrier/members.ts'
import { kinds } from '../../plugins/kinds.ts'

/**
 * The contract of carriers is written twice: as an interface, which carries the words, and as a declaration, which the host reads. The
 * types below hold one against the other; what differs is named in the error of the compiler.
 */
type Declared = typeof carrier
type Frozen<V> = V extends readonly (infer One)[]
  ? readonly Frozen<One>[]
  : V extends object
    ? { readonly [K in keyof V]: Frozen<V[K]> }
    : V
type Same<A, B> = [Frozen<A>] extends [Frozen<B>] ? ([Frozen<B>] extends [Frozen<A>] ? true : false) : false

type Member<N extends MemberName> = N extends `${infer Group extends 'webhook' | 'cash'}.${infer Inner}`
  ? NonNullable<Carrier[Group]>[Inner & keyof NonNullable<Carrier[Group]>]
  : Carrier[N & keyof Carrier]
type Asked<N extends MemberName> =
  NonNullable<Member<N>> extends (...given: infer Given) => infer Answer
    ? { answer: Awaited<Answer>; given: Given extends [AdapterContext, ...infer Rest] ? Rest : [] }
    : never
type Schemas = { [N in MemberName]: Declared['members'][N] }
type Given<In> = { [At in keyof In]: In[At] extends TSchema ? Static<In[At]> : never }

type OtherAnswers = { [N in MemberName]: Same<Asked<N>['answer'], Static<Schemas[N]['output']>> extends true ? never : N }[MemberName]
type OtherArguments = { [N in MemberName]: Same<Asked<N>['given'], Given<Schemas[N]['input']>> extends true ? never : N }[MemberName]

type Constants = Static<TObject<Declared['definition']>>
type Undeclared = Exclude<keyof Carrier, keyof Adapter | keyof Constants | MemberName | 'webhook' | 'cash'>
type OtherConstants = {
  [K in keyof Carrier & keyof Constants]: Frozen<Carrier[K]> extends Frozen<Constants[K]> ? never : K
}[keyof Carrier & keyof Constants]

/** Of `setupWebhook` the interface knows the names of the credentials, which a declaration cannot. */
const differing: readonly (Exclude<OtherAnswers, 'setupWebhook'> | OtherArguments | Undeclared | OtherConstants)[] = []
const none: readonly never[] = differing

test('the interface of carriers and their declaration are one contract', () => {
  expect(none).toEqual([])
})

test('every operation needs members that there are, and every group is one', () => {
  for (const { members, groups, operations } of kinds)
    for (const { needs } of Object.values(operations))
      for (const member of needs) expect(Object.hasOwn(members, member) || (groups as readonly string[]).includes(member)).toBe(true)
  expect(carrier.groups).toEqual(['webhook', 'cash'])
})
