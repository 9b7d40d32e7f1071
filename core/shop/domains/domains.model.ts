import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { domainStates } from './domain-states.ts'

/** Body that adds the domain of a store. */
export const NewDomain = named(
  'NewDomain',
  exact({ host: T.String({ minLength: 4, maxLength: 253, description: 'such as shop.example.com; letters of any script' }) }),
)
/** Type of {@link NewDomain}. */
export type NewDomain = Static<typeof NewDomain>

const State = oneOf(domainStates)
const DnsRecord = T.Object({ type: oneOf(['TXT', 'CNAME', 'A']), name: T.String(), value: T.String() })

/** Domain of a store, with the DNS records that it needs. */
export const Domain = named(
  'StoreDomain',
  T.Object({
    id: Id,
    storeId: Id,
    host: T.String(),
    state: State,
    problem: Nullable(T.String(), { description: 'problem found by the last check; null for none' }),
    records: T.Array(DnsRecord, {
      description: 'DNS records to create; where a CNAME is not possible, use the addresses of its value',
    }),
    stateSince: Timestamp,
    checkedAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)
/** Type of {@link Domain}. */
export type Domain = Static<typeof Domain>

const RecordCheck = (description: string) =>
  T.Object({
    isGood: T.Boolean(),
    found: T.Array(T.String(), { description }),
    isKnown: T.Boolean({ description: 'false where the DNS did not answer' }),
  })

/** Result of a DNS check: the proof, and the target that the domain points to. */
export const DnsCheck = named(
  'DnsCheck',
  T.Object({
    host: T.String(),
    proof: RecordCheck('TXT records at the name of the proof'),
    target: RecordCheck('target of the domain: a name, or addresses'),
  }),
)
/** Type of {@link DnsCheck}. */
export type DnsCheck = Static<typeof DnsCheck>

/** State of the proof of a domain. */
export const Verification = named(
  'DomainVerification',
  T.Object({ host: T.String(), state: State, isVerified: T.Boolean(), record: DnsRecord, checkedAt: Nullable(Timestamp) }),
)
/** Type of {@link Verification}. */
export type Verification = Static<typeof Verification>
