import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { deleteSkillsOfProject, deleteSkillsOfUser } from './skills.queries.ts'
import { skills } from './skills.routes.ts'

/** Skills (SKILL.md) that the assistant loads on demand, with versions and a marketplace. */
export default feature('skills', {
  routes: [skills],
  subscribers: {
    async 'store.deleted'(tx, { store }) {
      await deleteSkillsOfProject(tx, store.projectId)
    },
    async 'user.deleted'(tx, { userId }) {
      await deleteSkillsOfUser(tx, userId)
    },
  },
  personalData: [
    eraseBySearch({ table: 'chat_skills', owner: 'project', key: ['id'], columns: { name: 'text', description: 'text' } }),
    eraseBySearch({
      table: 'chat_skill_versions',
      owner: 'project',
      key: ['skill_id', 'version:integer'],
      columns: { name: 'text', description: 'text', content: 'text', files: 'json' },
      created: 'created_at',
    }),
  ],
})
