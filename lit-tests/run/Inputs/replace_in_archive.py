"""Writes an archive again with a text in its code replaced: replace_in_archive.py IN OUT OLD NEW"""
import sys
import zipfile

source, target, old, new = sys.argv[1:]
count = 0
with zipfile.ZipFile(source) as archive, zipfile.ZipFile(target, "w") as out:
    for member in archive.infolist():
        data = archive.read(member)
        if member.filename.endswith(".py"):
            count += data.count(old.encode())
            data = data.replace(old.encode(), new.encode().decode("unicode_escape").encode())
        if not member.filename.endswith(".debug_pkl"):
            out.writestr(member.filename, data)
if count != 1:
    sys.exit(f"{count} places hold {old!r}")
