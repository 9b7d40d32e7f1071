import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { skillAccess } from './authority.ts'
import { NewSkill, SKILL_TEMPLATE, Skill, SkillChange, SkillTemplate, SkillWithContent } from './skills.model.ts'
import { deleteSkill } from './skills.queries.ts'
import { addSkill, changeSkill, publishSkill, readMarketplace, readOwnSkills, readSkillWithContent, unpublishSkill } from './skills.ts'

const describe = tagOperations('Chat')
const ById = T.Object({ id: Id })

/** Routes for skills in the open SKILL.md format, and for the marketplace. */
export function skills(context: Context) {
  const { sql, authority } = context
  return new Elysia({ name: 'skills', prefix: '/v1/chat/skills' })
    .use(authority)
    .macro('skill', skillAccess(context))
    .get(
      '',
      ({ store, person, query }) => readKeysetPage(query, (after, take) => readOwnSkills(sql, store.projectId, person.id, after, take)),
      {
        member: ['viewer', 'stores:read'],
        query: T.Object({ storeId: Id, ...pageQuery }),
        response: List(Skill),
        detail: describe('List the skills that your assistant has in a store, oldest first', 'listSkills'),
      },
    )
    .get(
      '/mine',
      ({ store, person, query }) => readKeysetPage(query, (after, take) => readOwnSkills(sql, store.projectId, person.id, after, take)),
      {
        member: ['viewer', 'stores:read'],
        query: T.Object({ storeId: Id, ...pageQuery }),
        response: List(Skill),
        detail: describe('List the skills that you wrote in a store, oldest first', 'listMySkills'),
      },
    )
    .get('/marketplace', ({ person, query }) => readKeysetPage(query, (after, take) => readMarketplace(sql, person.id, after, take)), {
      user: true,
      query: T.Object(pageQuery),
      response: List(Skill),
      detail: describe('List published skills, each as it was published', 'listPublishedSkills'),
    })
    .get('/template', () => ({ data: { content: SKILL_TEMPLATE } }), {
      user: true,
      response: Data(SkillTemplate),
      detail: describe('Read an example SKILL.md to start from', 'skillTemplate'),
    })
    .post(
      '',
      (creation) => createOnce(context, creation, async (tx) => ({ data: await addSkill(tx, creation.person.id, creation.body) })),
      {
        member: ['viewer', 'stores:read'],
        body: NewSkill,
        response: { 201: Data(Skill) },
        detail: describe('Add a skill', 'addSkill'),
      },
    )
    .get('/:id', async ({ skill, person }) => ({ data: await readSkillWithContent(sql, skill, person.id) }), {
      skill: 'read',
      params: ById,
      response: Data(SkillWithContent),
      detail: describe('Read a skill with its content: your own as it is, another one as it was published', 'getSkill'),
    })
    .patch('/:id', async ({ skill, person, body }) => ({ data: await transaction(sql, (tx) => changeSkill(tx, person.id, skill, body)) }), {
      skill: 'change',
      params: ById,
      body: SkillChange,
      response: Data(Skill),
      detail: describe('Add a version of a skill', 'changeSkill'),
    })
    .delete(
      '/:id',
      async ({ skill, set }) => {
        await deleteSkill(sql, skill)
        set.status = 204
      },
      {
        skill: 'change',
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete a skill, with all its versions', 'deleteSkill'),
      },
    )
    .post('/:id/publish', async ({ skill, person }) => ({ data: await transaction(sql, (tx) => publishSkill(tx, person.id, skill)) }), {
      skill: 'change',
      params: ById,
      response: Data(Skill),
      detail: describe('Publish the newest version in the marketplace', 'publishSkill'),
    })
    .post('/:id/unpublish', async ({ skill, person }) => ({ data: await transaction(sql, (tx) => unpublishSkill(tx, person.id, skill)) }), {
      skill: 'change',
      params: ById,
      response: Data(Skill),
      detail: describe('Remove a skill from the marketplace', 'unpublishSkill'),
    })
}
