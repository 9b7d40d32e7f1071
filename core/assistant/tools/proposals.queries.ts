import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { Proposal } from './proposals.model.ts'

export interface ProposalRow extends Proposal {
  readonly userId: string
  readonly generationId: string
  readonly arguments: unknown
}

export const insertProposal = async (
  sql: Queryable,
  of: Pick<ProposalRow, 'storeId' | 'id' | 'userId' | 'generationId' | 'tool' | 'thing' | 'arguments'> & { before: object; after: object },
) => expectOne(await sql<ProposalRow[]>`insert into chat_proposals ${row(sql, of, ['arguments', 'before', 'after'])} returning *`)

export const findProposal = async (sql: Queryable, id: string) =>
  (await sql<ProposalRow[]>`select * from chat_proposals where id = ${id}`)[0]

/** Undefined where it is gone by now. */
export const lockProposal = async (sql: Tx, id: string) =>
  (await sql<ProposalRow[]>`select * from chat_proposals where id = ${id} for update`)[0]

export const decideProposal = async (sql: Tx, id: string, state: 'confirmed' | 'rejected') =>
  expectOne(await sql<ProposalRow[]>`update chat_proposals set state = ${state}, decided_at = now() where id = ${id} returning *`)

/** What came of it where somebody else did it. */
export const noteResult = async (sql: Queryable, id: string, { text, failed }: { readonly text: string; readonly failed: boolean }) =>
  (await sql<ProposalRow[]>`update chat_proposals set result = ${text}, failed = ${failed} where id = ${id} returning *`)[0]

export const listProposals = (sql: Queryable, ids: readonly string[]) =>
  sql<ProposalRow[]>`select * from chat_proposals where id = any (${ids as string[]})`

/** Deletes those that were decided, or else made, so long ago. How many. */
export const deleteOldProposals = async (sql: Queryable, days: number, take: number) =>
  (
    await sql`delete from chat_proposals where id in (select id from chat_proposals
      where coalesce(decided_at, created_at) < now() - ${days} * interval '1 day' order by coalesce(decided_at, created_at) limit ${take})`
  ).count

export const deleteProposalsOf = (sql: Queryable, storeId: string) => sql`delete from chat_proposals where store_id = ${storeId}`
export const deleteProposalsOfPerson = (sql: Queryable, userId: string) => sql`delete from chat_proposals where user_id = ${userId}`
