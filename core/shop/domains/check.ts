import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import type { DnsCheck } from './domains.model.ts'
import { type DomainRow, findDomain, lockDomain, lockHolder, updateDomain } from './domains.queries.ts'
import { findingOf, lookAt, problemOf, proofText } from './look.ts'
import { type DomainState, nextLook, nextState, states } from './states.ts'
import { targetOf } from './target.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'domains.look': { readonly domainId: string }
  }
}

/** Jobs of domains share the workers' share of one owner: a DNS server that hangs keeps nothing else from being done. */
const OWNER = 'domains'
const TAKEN = 'Another store has proven that this domain is its own. It takes its TXT record away first.'
const AWAY = 'The DNS did not answer.'

export const lookLater = (tx: Tx, domainId: string, runAt?: Date) =>
  enqueue(tx, 'domains.look', { domainId }, { owner: OWNER, key: `domain ${domainId}`, ...(runAt && { runAt }) })

/** Asks the DNS, without any lock, and moves the domain as its table says. What changed meanwhile is left to who changed it. */
export async function check(context: Context, domainId: string): Promise<DomainRow | undefined> {
  const before = await findDomain(context.sql, domainId)
  if (!before) return undefined
  const seen = await lookAt(context.dns, before, targetOf(context.config))
  return transaction(context.sql, async (tx) => {
    const held = await lockDomain(tx, domainId)
    if (!held || held.looks !== before.looks || held.state !== before.state) return held
    await move(tx, held, seen)
    return lockDomain(tx, domainId)
  })
}

async function move(tx: Tx, domain: DomainRow, seen: DnsCheck) {
  const { state } = domain
  const isProven = states[state].isHeld
  const finding = findingOf(seen, isProven)
  const to = finding === null ? state : nextState(state, finding, Date.parse(domain.stateSince))
  const isTaken = states[to].isHeld && !isProven && !(await takeOver(tx, domain, seen))
  await write(tx, domain, isTaken ? state : to, isTaken ? TAKEN : finding === null ? AWAY : problemOf(seen, isProven))
}

async function write(tx: Tx, { id, storeId, host, state, looks }: DomainRow, to: DomainState, problem: string | null) {
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
  const at = nextLook(to, next)
  if (at) await lookLater(tx, id, at)
}

/** A domain goes to whoever proves it last: who had it before must have taken his own proof away. */
async function takeOver(tx: Tx, { id, host }: DomainRow, { proof }: DnsCheck): Promise<boolean> {
  const holder = await lockHolder(tx, host, id)
  if (!holder) return true
  if (proof.found.includes(proofText(holder.proof))) return false
  await write(tx, holder, 'failed', 'Another store has proven that this domain is its own.')
  return true
}
