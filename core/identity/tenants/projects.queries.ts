import { containsCondition, keysetPage, type SortedRow, sortValueColumn } from '../../data/keyset-page.ts'
import { expectOne, type Queryable, rowValues } from '../../data/sql.ts'
import type { Product } from '../../http/auth/scopes.ts'
import type { Project, ProjectListQuery } from './projects.model.ts'
import type { TenantScope } from './tenants.queries.ts'

/** Inserts a project and returns its row. */
export const insertProject = async (
  sql: Queryable,
  project: { id: string; tenantId: number; name: string; products: readonly Product[] },
) => expectOne(await sql<Project[]>`insert into projects ${rowValues(sql, project)} returning *`)

/** Finds a project by id. Returns undefined when it does not exist. */
export const findProject = async (sql: Queryable, id: string) => (await sql<Project[]>`select * from projects where id = ${id}`)[0]

/** Project with the access that a user has to it. */
export interface ProjectAccess {
  readonly project: Project
  /** True when the tenant is being deleted. */
  readonly isLeaving: boolean
  /** Access of the user: to manage, to view, or none. */
  readonly access: 'manage' | 'view' | null
}

/** Finds a project and the access of a user to it. Returns undefined when the project does not exist. */
export async function findProjectAccess(sql: Queryable, id: string, userId: string | null): Promise<ProjectAccess | undefined> {
  const [found] = await sql<(Project & Omit<ProjectAccess, 'project'>)[]>`
    select p.*, t.deletes_at is not null as is_leaving,
      case when exists (select 1 from projects_steered_by(${userId}) s where s.project_id = p.id) then 'manage'
        when exists (select 1 from tenant_members m where m.tenant_id = p.tenant_id and m.user_id = ${userId}) then 'view' end as access
    from projects p join tenants t on t.id = p.tenant_id where p.id = ${id}`
  if (!found) return undefined
  const { isLeaving, access, ...project } = found
  return { project, isLeaving, access }
}

/** Lists a page of the projects in a scope, without those of tenants that are being deleted. */
export const listProjects = (sql: Queryable, seen: TenantScope, { filter: { tenantId }, q, page: part }: ProjectListQuery) =>
  sql<(Project & SortedRow)[]>`
    select p.* ${sortValueColumn(sql, part)} from projects p
    where not exists (select 1 from tenants t where t.id = p.tenant_id and t.deletes_at is not null)
    ${seen.tenantId === undefined ? sql`` : sql`and p.tenant_id = ${seen.tenantId}`}
    ${
      seen.userId === undefined
        ? sql``
        : sql`and p.id in (select project_id from projects_steered_by(${seen.userId})
            union select o.id from projects o join tenant_members m on m.tenant_id = o.tenant_id where m.user_id = ${seen.userId})`
    }
    ${tenantId === undefined ? sql`` : sql`and p.tenant_id = ${tenantId}`}
    ${q === undefined ? sql`` : sql`and ${containsCondition(sql, sql`p.name`, q)}`}
    ${keysetPage(sql, part, 'p.id')}`

/** Updates a project and returns the new row. */
export const updateProject = async (sql: Queryable, id: string, change: { name?: string; products?: readonly Product[] }) =>
  expectOne(await sql<Project[]>`update projects set ${rowValues(sql, { ...change, updatedAt: new Date() })} where id = ${id} returning *`)
