import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { type DomainState, domainStateRules, nextCheckAt, nextState } from './domain-states.ts'
import { domainTargetOf } from './domain-target.ts'
import type { DnsCheck } from './domains.model.ts'
import { type DomainRow, findDomain, lockDomain, lockProvenDomain, updateDomain } from './domains.queries.ts'
import { describeProblem, findingFrom, proofRecordText, queryDns } from './query-dns.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'domains.check': { readonly domainId: string }
  }
}

/** Owner of all domain jobs. They share the workers' quota of one owner, so that a slow DNS server does not delay other jobs. */
const JOB_OWNER = 'domains'
const HELD_BY_OTHER = 'Another store has proven that it owns this domain. It must remove its TXT record first.'
const NO_ANSWER = 'The DNS did not answer.'

/** Enqueues the DNS check of a domain, now or at a time. A later call replaces an earlier one. */
export const enqueueDomainCheck = (tx: Tx, domainId: string, runAt?: Date) =>
  enqueue(tx, 'domains.check', { domainId }, { owner: JOB_OWNER, key: `domain ${domainId}`, ...(runAt && { runAt }) })

/**
 * Queries the DNS of a domain without a lock, and then moves its state by the table of states. Changes nothing where the domain changed
 * during the query. Returns undefined where it does not exist.
 */
export async function checkDomain(context: Context, domainId: string): Promise<DomainRow | undefined> {
  const before = await findDomain(context.sql, domainId)
  if (!before) return undefined
  const seen = await queryDns(context.dns, before, domainTargetOf(context.config))
  return transaction(context.sql, async (tx) => {
    const locked = await lockDomain(tx, domainId)
    if (!locked || locked.looks !== before.looks || locked.state !== before.state) return locked
    await applyDnsCheck(tx, locked, seen)
    return lockDomain(tx, domainId)
  })
}

async function applyDnsCheck(tx: Tx, domain: DomainRow, seen: DnsCheck) {
  const { state } = domain
  const isProven = domainStateRules[state].isProven
  const finding = findingFrom(seen, { isProven })
  const to = finding === null ? state : nextState(state, finding, Date.parse(domain.stateSince))
  const isTaken = domainStateRules[to].isProven && !isProven && !(await releaseHolder(tx, domain, seen))
  await writeState(
    tx,
    domain,
    isTaken ? state : to,
    isTaken ? HELD_BY_OTHER : finding === null ? NO_ANSWER : describeProblem(seen, { isProven }),
  )
}

async function writeState(tx: Tx, { id, storeId, host, state, looks }: DomainRow, to: DomainState, problem: string | null) {
  const isMove = to !== state
  const next = isMove ? 0 : looks + 1
  const now = new Date()
  await updateDomain(tx, id, {
    state: to,
    problem,
    looks: next,
    checkedAt: now.toISOString(),
    ...(isMove && { stateSince: now.toISOString() }),
  })
  if (isMove)
    await recordAudit(tx, { storeId }, { what: 'domain.state_changed', thing: id, before: { host, state }, after: { host, state: to } })
  const at = nextCheckAt(to, next)
  if (at) await enqueueDomainCheck(tx, id, at)
}

/** Releases the host from another store that holds it, if that store has removed its own proof. Returns false where it has not. */
async function releaseHolder(tx: Tx, { id, host }: DomainRow, { proof }: DnsCheck): Promise<boolean> {
  const holder = await lockProvenDomain(tx, host, id)
  if (!holder) return true
  if (proof.found.includes(proofRecordText(holder.proof))) return false
  await writeState(tx, holder, 'failed', 'Another store has proven that it owns this domain.')
  return true
}
