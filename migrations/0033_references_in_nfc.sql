-- compatible-from: 10
-- One text can be written in several ways: é is one character or two. References and external ids are compared in Unicode's form
-- NFC: it is what stands in the column with the unique index. As the caller wrote it stands beside it where that is something
-- else, for answering. References that earlier releases stored in another form stay as they are, and the functions that accept
-- new ones look for them too. Nodes of the release before use the same functions, and answer with the form NFC.
--
-- What must never happen: that one reference is paid twice because it was written in two ways.

alter table transfers add column reference_given text;
alter table transfers add constraint transfers_reference_in_nfc check (reference is nfc normalized) not valid;
alter table transfers add constraint transfers_reference_given_otherwise check (
  reference_given is null or (reference_given <> reference and normalize(reference_given, nfc) = reference)) not valid;

alter table charges add column external_id_given text;
alter table charges add constraint charges_external_id_in_nfc check (external_id is nfc normalized) not valid;
alter table charges add constraint charges_external_id_given_otherwise check (
  external_id_given is null or (external_id_given <> external_id and normalize(external_id_given, nfc) = external_id)) not valid;
