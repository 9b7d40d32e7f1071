import { domainToASCII } from 'node:url'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish, type Subscribers } from '../../data/subscribers.ts'
import { ApiError, invalid, notFound } from '../../http/errors/errors.ts'
import { newToken } from '../../lib/crypto/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { refusalOf } from '../../lib/net/addresses.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import type { Store } from '../stores/stores.model.ts'
import { check, lookLater } from './check.ts'
import type { DnsCheck, Domain, Verification } from './domains.model.ts'
import { type DomainRow, deleteDomain, findDomain, findDomainOfStore, insertDomain } from './domains.queries.ts'
import { lookAt, proofName, proofText } from './look.ts'
import { states } from './states.ts'
import { targetOf } from './target.ts'

const NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/
/** What would be read as more than a name. */
const NO_NAME = /[/\\:?#@%[\]\s]/
const LOOKS_A_MINUTE = 10
const MINUTE_MS = 60_000

const recordOf = ({ host, proof }: DomainRow) => ({ type: 'TXT' as const, name: proofName(host), value: proofText(proof) })

export const present = ({ proof: _, looks: __, ...domain }: DomainRow, target: string): Domain => ({
  ...domain,
  records: [
    recordOf({ ...domain, proof: _, looks: __ }),
    { type: /^[\d.]+$/.test(target) ? 'A' : 'CNAME', name: domain.host, value: target },
  ],
})

/** Names the domain that the store wants to be reached at, and looks for its proof from now on. */
export async function addDomain(context: Context, tx: Tx, store: Store, typed: string): Promise<Domain> {
  const target = targetOf(context.config)
  const host = hostNamed(typed, target)
  await publish(tx, 'store.growing', { storeId: store.id, what: 'domains' })
  const id = newId('dom')
  await insertDomain(tx, { storeId: store.id, id, host, proof: newToken('dp') })
  await lookLater(tx, id)
  await recordAudit(tx, { storeId: store.id }, { what: 'domain.added', thing: id, after: { host, state: 'pending' } })
  const made = await findDomain(tx, id)
  if (!made) throw notFound('The domain')
  return present(made, target)
}

/** Throws `invalid_request` where it is none of the internet's, or the server's own. */
function hostNamed(typed: string, target: string): string {
  const host = domainToASCII(typed.trim().replace(/\.$/, '')).toLowerCase()
  if (NO_NAME.test(typed) || !NAME.test(host) || refusalOf(`https://${host}`, { allowPrivate: false }) !== null)
    throw invalid('/body/host', 'A name of the internet, as shop.example.com.')
  if (host === target || host.endsWith(`.${target}`) || target.endsWith(`.${host}`))
    throw invalid('/body/host', 'This is the server’s own.')
  return host
}

export async function removeDomain({ sql }: Pick<Context, 'sql'>, store: Store): Promise<void> {
  await transaction(sql, async (tx) => {
    const before = await deleteDomain(tx, store.id)
    if (!before) throw noDomain()
    await recordAudit(tx, { storeId: store.id }, { what: 'domain.removed', thing: before.id, before })
  })
}

export async function readDomain({ sql, config }: Pick<Context, 'sql' | 'config'>, store: Store): Promise<Domain> {
  return present(await domainOf(sql, store), targetOf(config))
}

export async function readVerification({ sql }: Pick<Context, 'sql'>, store: Store): Promise<Verification> {
  const domain = await domainOf(sql, store)
  const { host, state, checkedAt } = domain
  return { host, state, isVerified: states[state].isHeld, record: recordOf(domain), checkedAt }
}

/** Asks the DNS now, and moves nothing. */
export async function checkDns(context: Context, store: Store): Promise<DnsCheck> {
  const domain = await domainOf(context.sql, store)
  await assertFew(context, store)
  return lookAt(context.dns, domain, targetOf(context.config))
}

/** Asks the DNS now, and moves the domain, also one that was given up. */
export async function verify(context: Context, store: Store): Promise<Domain> {
  const { id } = await domainOf(context.sql, store)
  await assertFew(context, store)
  const checked = await check(context, id)
  if (!checked) throw noDomain()
  return present(checked, targetOf(context.config))
}

async function assertFew({ shared }: Pick<Context, 'shared'>, { id }: Store) {
  const { count, resetMs } = await shared.hit(`domain-looks:${id}`, MINUTE_MS)
  if (count <= LOOKS_A_MINUTE) return
  const wait = String(Math.max(1, Math.ceil(resetMs / 1000)))
  throw new ApiError('rate_limited', `The DNS is asked ${LOOKS_A_MINUTE} times a minute at most. Wait ${wait} s.`, {
    headers: { 'retry-after': wait },
  })
}

async function domainOf(sql: Context['sql'], { id }: Store): Promise<DomainRow> {
  const domain = await findDomainOfStore(sql, id)
  if (!domain) throw noDomain()
  return domain
}

const noDomain = () => notFound('A domain of the store')

/** With a store goes its domain: another may have it. */
export const leaveWithStore: Subscribers = {
  async 'store.leaving'(tx, { store }) {
    await deleteDomain(tx, store.id)
  },
}
