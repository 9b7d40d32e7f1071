import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'
import { domainStates } from './states.ts'

export const NewDomain = named(
  'NewDomain',
  exact({ host: T.String({ minLength: 4, maxLength: 253, description: 'as shop.example.com; letters of any script' }) }),
)
export type NewDomain = Static<typeof NewDomain>

const State = oneOf(domainStates, {
  description:
    '`pending`: its proof was not seen yet; `verified`: it does not lead here yet; `live`; `failing`: it led here, and does not now; `failed`: given up, until somebody asks for it again',
})
const DnsRecord = T.Object({ type: oneOf(['TXT', 'CNAME', 'A']), name: T.String(), value: T.String() })

export const Domain = named(
  'StoreDomain',
  T.Object({
    id: Id,
    storeId: Id,
    host: T.String(),
    state: State,
    problem: Nullable(T.String(), { description: 'what stands in the way, as of the last look' }),
    records: T.Array(DnsRecord, {
      description: 'what its owner writes into the DNS; where a CNAME cannot stand, addresses that are the same as those of its value',
    }),
    stateSince: Timestamp,
    checkedAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)
export type Domain = Static<typeof Domain>

const Looked = (description: string) =>
  T.Object({
    isGood: T.Boolean(),
    found: T.Array(T.String(), { description }),
    isKnown: T.Boolean({ description: 'false where the DNS did not answer' }),
  })

export const DnsCheck = named(
  'DnsCheck',
  T.Object({ host: T.String(), proof: Looked('texts beside the proof'), target: Looked('where it leads: a name, or addresses') }),
)
export type DnsCheck = Static<typeof DnsCheck>

export const Verification = named(
  'DomainVerification',
  T.Object({ host: T.String(), state: State, isVerified: T.Boolean(), record: DnsRecord, checkedAt: Nullable(Timestamp) }),
)
export type Verification = Static<typeof Verification>
