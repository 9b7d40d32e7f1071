import type { Sql } from 'postgres'

export const readParcel = async (sql: Sql, projectId: string, id: string) => ({
  data: (await sql`select * from parcels where project_id = ${projectId} and id = ${id}`)[0],
})

export const listParcels = async (sql: Sql, projectId: string, limit: number) => ({
  data: [...(await sql`select * from parcels where project_id = ${projectId} order by id desc limit ${limit + 1}`)].slice(0, limit),
})
