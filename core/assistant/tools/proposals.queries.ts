import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Proposal } from './proposals.model.ts'

/** Row of `chat_proposals`: a proposal with its user, its generation and the arguments of the call. */
export interface ProposalRow extends Omit<Proposal, 'storeId'> {
  readonly projectId: string
  readonly userId: string
  readonly generationId: string
  readonly arguments: unknown
}

/** Columns that identify a proposal. */
export type ProposalKey = Pick<ProposalRow, 'projectId' | 'id'>

/** Inserts an open proposal. */
export const insertProposal = async (
  sql: Queryable,
  of: Pick<ProposalRow, 'projectId' | 'id' | 'userId' | 'generationId' | 'tool' | 'thing' | 'arguments'> & {
    before: object
    after: object
  },
) => expectOne(await sql<ProposalRow[]>`insert into chat_proposals ${rowValues(sql, of, ['arguments', 'before', 'after'])} returning *`)

/** Finds a proposal by its id alone, as requests name it, without a lock. Uses a plain index. */
export const findProposal = async (sql: Queryable, id: string) =>
  (await sql<ProposalRow[]>`select * from chat_proposals where id = ${id}`)[0]

/** Locks a proposal until the transaction ends. Returns undefined when it was deleted. */
export const lockProposal = async (sql: Tx, { projectId, id }: ProposalKey) =>
  (await sql<ProposalRow[]>`select * from chat_proposals where project_id = ${projectId} and id = ${id} for update`)[0]

/** Sets the decision and its time. The caller holds the row lock. */
export const decideProposal = async (sql: Tx, { projectId, id }: ProposalKey, state: 'confirmed' | 'rejected') =>
  expectOne(
    await sql<ProposalRow[]>`update chat_proposals set state = ${state}, decided_at = now()
    where project_id = ${projectId} and id = ${id} returning *`,
  )

/** Stores the answer of the MCP server that was called. Returns undefined when the proposal was deleted. */
export const recordProposalResult = async (
  sql: Queryable,
  { projectId, id }: ProposalKey,
  { text, failed }: { readonly text: string; readonly failed: boolean },
) =>
  (
    await sql<ProposalRow[]>`update chat_proposals set result = ${text}, failed = ${failed}
    where project_id = ${projectId} and id = ${id} returning *`
  )[0]

/** Lists the proposals of a project with these ids, in no particular order. */
export const listProposals = (sql: Queryable, projectId: string, ids: readonly string[]) =>
  sql<ProposalRow[]>`select * from chat_proposals where project_id = ${projectId} and id = any (${ids as string[]})`

/** Deletes up to `take` proposals that were decided, or else created, more than `days` days ago. Returns the number deleted. */
export const deleteOldProposals = async (sql: Queryable, days: number, take: number) =>
  (
    await sql`delete from chat_proposals where (project_id, id) in (select project_id, id from chat_proposals
      where coalesce(decided_at, created_at) < now() - ${days} * interval '1 day' order by coalesce(decided_at, created_at) limit ${take})`
  ).count

/** Deletes all proposals of a project. */
export const deleteProposalsOfProject = (sql: Queryable, projectId: string) =>
  sql`delete from chat_proposals where project_id = ${projectId}`
/** Deletes all proposals made to a user. */
export const deleteProposalsOfUser = (sql: Queryable, userId: string) => sql`delete from chat_proposals where user_id = ${userId}`
