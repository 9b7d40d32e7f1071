-- From where a session was opened: who comes from there waits for no stranger's wrong guesses of the password.
alter table session_tokens add column network text;
