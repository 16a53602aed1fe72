module dractl-declarations

go 1.22
