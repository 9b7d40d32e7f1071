-- Jobs are named by the glossary. Waiting jobs keep their place under the new name, and schedules remember when they last ran.
do $$
declare
  renamed record;
begin
  if to_regclass('graphile_worker._private_tasks') is null then return; end if;
  for renamed in
    select * from (values
      ('ads.forget', 'ads.deleteExpired'),
      ('ai.forget', 'ai.deleteExpired'),
      ('analytics.forgetViews', 'analytics.deleteOldViews'),
      ('auth.forgetRevocations', 'auth.deleteExpiredRevocations'),
      ('auth.forgetSessions', 'auth.deleteExpiredSessions'),
      ('carriers.readOn', 'carriers.continueList'),
      ('cash.verify', 'ledger.verify'),
      ('catalog.forgetImports', 'imports.deleteOld'),
      ('channels.callback', 'connectors.processWebhook'),
      ('channels.forget', 'connectors.deleteExpired'),
      ('channels.part', 'connectors.disconnect'),
      ('channels.pull', 'connectors.pull'),
      ('channels.pullDue', 'connectors.pullDue'),
      ('channels.pushStock', 'connectors.pushStock'),
      ('channels.pushStockDue', 'connectors.pushStockDue'),
      ('channels.replay', 'connectors.replayWebhooks'),
      ('channels.settle', 'connectors.importPending'),
      ('channels.subscribe', 'connectors.registerWebhooks'),
      ('channels.subscribeUnsure', 'connectors.registerMissingWebhooks'),
      ('channels.tell', 'connectors.pushStatus'),
      ('channels.tellDue', 'connectors.pushStatusDue'),
      ('chat.forget', 'chat.deleteExpired'),
      ('codes.forget', 'codes.deleteExpired'),
      ('connections.endLeftBehind', 'connections.deleteOrphaned'),
      ('connections.renewResting', 'connections.renewIdleTokens'),
      ('connections.tellOwner', 'connections.notifyOwner'),
      ('connections.testHanded', 'connections.testPushedTokens'),
      ('dispatch.forget', 'dispatch.deleteExpired'),
      ('domains.look', 'domains.check'),
      ('gateway.forget', 'traces.deleteExpired'),
      ('images.draw', 'images.generate'),
      ('integrations.earlyNews', 'tracking.retryEarlyReports'),
      ('integrations.places', 'connections.syncPlaces'),
      ('integrations.poll', 'tracking.poll'),
      ('integrations.pollDue', 'tracking.pollDue'),
      ('integrations.remap', 'tracking.remap'),
      ('integrations.stalePlaces', 'connections.syncStalePlaces'),
      ('integrations.sync', 'tracking.sync'),
      ('landing.forget', 'landing.deleteExpired'),
      ('landing.make', 'landing.generate'),
      ('mail.forget', 'mail.deleteOld'),
      ('mcp.forget', 'mcp.deleteExpired'),
      ('oauth.keepHouse', 'oauth.deleteExpired'),
      ('passkeys.forgetChallenges', 'passkeys.deleteExpiredChallenges'),
      ('payments.forget', 'payments.deleteOldEvents'),
      ('payments.read', 'payments.poll'),
      ('payments.readDue', 'payments.pollDue'),
      ('people.forgetNotifications', 'users.deleteOldNotifications'),
      ('privacy.retain', 'privacy.eraseOutdated'),
      ('sheets.forget', 'sheets.deleteOrphanedRows'),
      ('social.forget', 'social.deleteExpired'),
      ('social.giveUp', 'social.revoke'),
      ('stores.forget', 'stores.deleteExpired'),
      ('subscriptions.hearVoided', 'subscriptions.applyVoided'),
      ('subscriptions.read', 'subscriptions.poll'),
      ('subscriptions.readDue', 'subscriptions.pollDue'),
      ('subscriptions.tellDue', 'subscriptions.emailInvoice'),
      ('subscriptions.turn', 'subscriptions.renewDue'),
      ('tools.forget', 'tools.deleteExpired'),
      ('webhooks.dropDeliveries', 'webhooks.deleteDeliveries'),
      ('webhooks.tell-owner', 'webhooks.notifyOwner')
    ) as names (earlier, now)
  loop
    update graphile_worker._private_tasks set identifier = renamed.now where identifier = renamed.earlier;
    update graphile_worker._private_known_crontabs set identifier = renamed.now where identifier = renamed.earlier;
  end loop;
end
$$;
