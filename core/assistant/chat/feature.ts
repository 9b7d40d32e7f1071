import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { deleteChatOfProject, deleteChatOfUser } from './chat.queries.ts'
import { conversations } from './chat.routes.ts'
import { deleteExpiredGenerations } from './delete-expired.ts'
import { GenerationRunner } from './generation/generation-runner.ts'
import { releaseOrphanedGenerations } from './generation/generations.queries.ts'
import { chatQueue, chatRules, generations } from './generation/generations.routes.ts'

declare module '../../context.ts' {
  interface Services {
    /** Generations that run in this process. */
    readonly generationRunner: GenerationRunner
  }
}

declare module '../../data/jobs.ts' {
  interface Jobs {
    'chat.deleteExpired': Record<string, unknown>
  }
}

/** Conversations of users with an assistant that can read their store and propose changes to it. */
export default feature('chat', {
  routes: [conversations, generations, chatQueue, chatRules],
  async setup() {
    const runner = new GenerationRunner()
    return { services: { generationRunner: runner } }
  },
  async start(context) {
    context.generationRunner.start(context)
    return { stop: () => context.generationRunner.stop() }
  },
  jobs: { 'chat.deleteExpired': { schedule: '47 3 * * *', work: (context, _, signal) => deleteExpiredGenerations(context, signal) } },
  subscribers: {
    'process.died': releaseOrphanedGenerations,
    async 'store.deleted'(tx, { store }) {
      await deleteChatOfProject(tx, store.projectId)
    },
    async 'user.deleted'(tx, { userId }) {
      await deleteChatOfUser(tx, userId)
    },
  },
  personalData: [
    eraseBySearch({ table: 'chat_conversations', owner: 'project', key: ['id'], columns: { title: 'text' }, created: 'created_at' }),
    eraseBySearch({
      table: 'chat_messages',
      owner: 'project',
      key: ['id'],
      columns: { text: 'text', tool_calls: 'json' },
      created: 'created_at',
    }),
    eraseBySearch({ table: 'chat_generations', owner: 'project', key: ['id'], columns: { problem: 'text' }, created: 'created_at' }),
    eraseBySearch({ table: 'chat_generation_parts', owner: 'project', key: ['generation_id', 'seq:integer'], columns: { part: 'json' } }),
    eraseBySearch({
      table: 'chat_proposals',
      owner: 'project',
      key: ['id'],
      columns: { arguments: 'json', before: 'json', after: 'json', result: 'text', thing: 'id' },
      created: 'created_at',
    }),
    eraseBySearch({ table: 'chat_queue', owner: 'project', key: ['id'], columns: { text: 'text' }, created: 'created_at' }),
    eraseBySearch({ table: 'chat_rules', owner: 'project', key: ['id'], columns: { name: 'text', text: 'text' }, created: 'created_at' }),
  ],
})
