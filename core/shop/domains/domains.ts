import { domainToASCII } from 'node:url'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish, type Subscribers } from '../../data/subscribers.ts'
import { newToken } from '../../lib/crypto/crypto.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { addressRefusal } from '../../lib/net/addresses.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import type { Store } from '../stores/stores.model.ts'
import { checkDomain, enqueueDomainCheck } from './check-domain.ts'
import { domainStateRules } from './domain-states.ts'
import { domainTargetOf } from './domain-target.ts'
import { storeDomainErrors } from './domains.errors.ts'
import type { DnsCheck, Domain, Verification } from './domains.model.ts'
import { type DomainRow, deleteDomainOfStore, findDomain, findDomainOfStore, insertDomain } from './domains.queries.ts'
import { proofRecordName, proofRecordText, queryDns } from './query-dns.ts'

const HOST_NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/
/** Characters that would make a URL of more than a host name. */
const URL_CHARACTERS = /[/\\:?#@%[\]\s]/
const CHECKS_PER_MINUTE = 10

const recordOf = ({ host, proof }: DomainRow) => ({ type: 'TXT' as const, name: proofRecordName(host), value: proofRecordText(proof) })

/** Presents a domain, with the DNS records that its owner must create. */
const presentDomain = ({ proof: _, looks: __, ...domain }: DomainRow, target: string): Domain => ({
  ...domain,
  records: [
    recordOf({ ...domain, proof: _, looks: __ }),
    { type: /^[\d.]+$/.test(target) ? 'A' : 'CNAME', name: domain.host, value: target },
  ],
})

/** Adds the domain of a store and enqueues its first check. Throws `invalid_request`, `conflict`, or a reached limit on domains. */
export async function addDomain(context: Context, tx: Tx, store: Store, typed: string): Promise<Domain> {
  const target = domainTargetOf(context.config)
  const host = parseHost(typed, target)
  await publish(tx, 'store.resource_requested', { storeId: store.id, what: 'domains' })
  const id = newId('dom')
  await insertDomain(tx, { storeId: store.id, id, host, proof: newToken('dp') })
  await enqueueDomainCheck(tx, id)
  await recordAudit(tx, { storeId: store.id }, { what: 'domain.added', thing: id, after: { host, state: 'pending' } })
  const made = await findDomain(tx, id)
  if (!made) throw notFound('The domain')
  return presentDomain(made, target)
}

/** Parses a host name into ASCII. Throws `invalid_request` for one that is not public, or that belongs to this server. */
function parseHost(typed: string, target: string): string {
  const host = domainToASCII(typed.trim().replace(/\.$/, '')).toLowerCase()
  if (URL_CHARACTERS.test(typed) || !HOST_NAME.test(host) || addressRefusal(`https://${host}`, { allowPrivate: false }) !== null)
    throw storeDomainErrors.hostInvalid({ field: ['host'] })
  if (host === target || host.endsWith(`.${target}`) || target.endsWith(`.${host}`))
    throw storeDomainErrors.hostReserved({ field: ['host'] })
  return host
}

/** Removes the domain of a store. Throws `not_found`. */
export async function removeDomain({ sql }: Pick<Context, 'sql'>, store: Store): Promise<void> {
  await transaction(sql, async (tx) => {
    const before = await deleteDomainOfStore(tx, store.id)
    if (!before) throw noDomainError()
    await recordAudit(tx, { storeId: store.id }, { what: 'domain.removed', thing: before.id, before })
  })
}

/** Reads the domain of a store. Throws `not_found`. */
export async function readDomain({ sql, config }: Pick<Context, 'sql' | 'config'>, store: Store): Promise<Domain> {
  return presentDomain(await requireDomain(sql, store), domainTargetOf(config))
}

/** Reads the state of the proof, as of the last check. Throws `not_found`. */
export async function readVerification({ sql }: Pick<Context, 'sql'>, store: Store): Promise<Verification> {
  const domain = await requireDomain(sql, store)
  const { host, state, checkedAt } = domain
  return { host, state, isVerified: domainStateRules[state].isProven, record: recordOf(domain), checkedAt }
}

/** Queries the DNS now without changing the domain. Throws `not_found`, `rate_limited`. */
export async function checkDns(context: Context, store: Store): Promise<DnsCheck> {
  const domain = await requireDomain(context.sql, store)
  await assertCheckRate(context, store)
  return queryDns(context.dns, domain, domainTargetOf(context.config))
}

/** Queries the DNS now and updates the domain, even a failed one. Throws `not_found`, `rate_limited`. */
export async function verifyDomain(context: Context, store: Store): Promise<Domain> {
  const { id } = await requireDomain(context.sql, store)
  await assertCheckRate(context, store)
  const checked = await checkDomain(context, id)
  if (!checked) throw noDomainError()
  return presentDomain(checked, domainTargetOf(context.config))
}

async function assertCheckRate({ shared }: Pick<Context, 'shared'>, { id }: Store) {
  const { count, resetMs } = await shared.countHit(`domain-looks:${id}`, MINUTE_MS)
  if (count <= CHECKS_PER_MINUTE) return
  const wait = Math.max(1, Math.ceil(resetMs / 1000))
  throw storeDomainErrors.tooManyChecks(
    { checksPerMinute: CHECKS_PER_MINUTE, wait },
    {
      retryAfterSeconds: wait,
    },
  )
}

async function requireDomain(sql: Context['sql'], { id }: Store): Promise<DomainRow> {
  const domain = await findDomainOfStore(sql, id)
  if (!domain) throw noDomainError()
  return domain
}

const noDomainError = () => notFound('A domain of the store')

/** Deletes the domain of a store that is being deleted, so that another store can use it. */
export const storeSubscriber: Subscribers = {
  async 'store.deleted'(tx, { store }) {
    await deleteDomainOfStore(tx, store.id)
  },
}
